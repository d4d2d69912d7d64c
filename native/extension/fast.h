/* The types and functions of the module kernport._fast: one definition a file. */
#ifndef KP_FAST_H
#define KP_FAST_H

#include <Python.h>

extern PyType_Spec kp_aesgcm_spec, kp_gmac_spec, kp_md5_spec;

struct kp_module {
    PyObject *md5_type;
};

typedef PyObject *kp_fast_function(PyObject *self, PyObject *const *arguments, Py_ssize_t given, PyObject *keywords);

kp_fast_function kp_fast_md5, kp_fast_md5_files, kp_fast_md5_many;

/* A method or function that takes arguments by position and by name without a tuple being made. */
#define KP_FAST(name, function, doc) {name, (PyCFunction)(void (*)(void))(function), METH_FASTCALL | METH_KEYWORDS, doc}

#endif
