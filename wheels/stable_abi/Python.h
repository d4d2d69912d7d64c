/* The part of CPython's stable ABI (PEP 384, "Stable ABI Contents" in the Python manual) that the
 * extension uses, declared for every target alike.
 *
 * A wheel for the stable ABI must not depend on one Python's headers, and most targets have none at
 * hand: so the few functions are declared here, with types that are the same on every platform.
 * Reference counts are changed by functions only, which every version from 3.11 on exports. */
#ifndef Py_PYTHON_H
#define Py_PYTHON_H

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

/* cffi's code takes small copies on the stack; where strict C hides alloca, the compiler has it. */
#if !defined(alloca)
#define alloca __builtin_alloca
#endif

#define PY_MAJOR_VERSION 3
#define PY_MINOR_VERSION 11
#define PY_VERSION_HEX 0x030b0000

#ifdef __cplusplus
extern "C" {
#endif

typedef ssize_t Py_ssize_t;
typedef struct _object PyObject;
typedef struct PyThreadState PyThreadState;

#define PyMODINIT_FUNC __attribute__((visibility("default"))) PyObject *

extern PyObject _Py_NoneStruct;
#define Py_None (&_Py_NoneStruct)

void Py_IncRef(PyObject *object);
void Py_DecRef(PyObject *object);
#define Py_INCREF(object) Py_IncRef((PyObject *)(object))
#define Py_DECREF(object) Py_DecRef((PyObject *)(object))
#define Py_XDECREF(object) Py_DecRef((PyObject *)(object)) /* does nothing for NULL */

PyThreadState *PyEval_SaveThread(void);
void PyEval_RestoreThread(PyThreadState *state);
#define Py_BEGIN_ALLOW_THREADS                                                                                         \
    {                                                                                                                  \
        PyThreadState *_save = PyEval_SaveThread();
#define Py_END_ALLOW_THREADS                                                                                           \
    PyEval_RestoreThread(_save);                                                                                       \
    }

int PyArg_UnpackTuple(PyObject *arguments, const char *name, Py_ssize_t least, Py_ssize_t most, ...);
PyObject *PyBool_FromLong(long value);
PyObject *PyErr_Occurred(void);
double PyFloat_AsDouble(PyObject *object);
PyObject *PyFloat_FromDouble(double value);
PyObject *PyImport_ImportModule(const char *name);
PyObject *PyLong_FromLong(long value);
PyObject *PyLong_FromLongLong(long long value);
PyObject *PyLong_FromUnsignedLong(unsigned long value);
PyObject *PyLong_FromUnsignedLongLong(unsigned long long value);
PyObject *PyLong_FromVoidPtr(void *pointer);
PyObject *PyObject_CallMethod(PyObject *object, const char *name, const char *format, ...);
void *PyObject_Malloc(size_t size);
void PyObject_Free(void *pointer);
__attribute__((noreturn)) void Py_FatalError(const char *message);

#ifdef __cplusplus
}
#endif
#endif
