/* The part of CPython's stable ABI (PEP 384, "Stable ABI Contents" in the Python manual) that the
 * extension uses, declared for every target alike.
 *
 * A wheel for the stable ABI must not depend on one Python's headers, and most targets have none at
 * hand: so the few functions are declared here, with types that are the same on every platform.
 * Reference counts are changed by functions only, which every version from 3.11 on exports.
 *
 * With Py_GIL_DISABLED it declares the same for free-threaded Pythons, which have these functions too:
 * there objects begin otherwise, in the same way from 3.13 to 3.15. */
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
#define PY_SSIZE_T_MAX ((Py_ssize_t)(((size_t)-1) >> 1))
typedef struct PyThreadState PyThreadState;
typedef struct _typeobject PyTypeObject;

#ifdef Py_GIL_DISABLED
typedef struct _object {
    uintptr_t ob_tid;
    uint16_t ob_flags;
    uint8_t ob_mutex;
    uint8_t ob_gc_bits;
    uint32_t ob_ref_local;
    Py_ssize_t ob_ref_shared;
    PyTypeObject *ob_type;
} PyObject;
/* Statically allocated, which Python 3.15 looks for, and never freed. */
#define PyObject_HEAD_INIT(type) {0, 4, 0, 0, UINT32_MAX, 0, (type)}
#else
typedef struct _object {
    Py_ssize_t ob_refcnt;
    PyTypeObject *ob_type;
} PyObject;
#define PyObject_HEAD_INIT(type) {1, (type)}
#endif

#define PyObject_HEAD PyObject ob_base
#define Py_TYPE(object) (((PyObject *)(object))->ob_type)

#define PyMODINIT_FUNC __attribute__((visibility("default"))) PyObject *

extern PyObject _Py_NoneStruct;
#define Py_None (&_Py_NoneStruct)

extern PyTypeObject PyBytes_Type;

extern PyObject *PyExc_BufferError;
extern PyObject *PyExc_OverflowError;
extern PyObject *PyExc_TypeError;
extern PyObject *PyExc_ValueError;

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

/* The buffer protocol, part of the stable ABI from 3.11 on. */
typedef struct {
    void *buf;
    PyObject *obj;
    Py_ssize_t len;
    Py_ssize_t itemsize;
    int readonly;
    int ndim;
    char *format;
    Py_ssize_t *shape;
    Py_ssize_t *strides;
    Py_ssize_t *suboffsets;
    void *internal;
} Py_buffer;

#define PyBUF_SIMPLE 0
#define PyBUF_WRITABLE 1
#define PyBUF_FULL_RO 0x11c /* any layout, with everything that describes it */

int PyObject_CheckBuffer(PyObject *object);
int PyObject_GetBuffer(PyObject *object, Py_buffer *view, int flags);
void PyBuffer_Release(Py_buffer *view);

/* Methods, types and modules. */
typedef PyObject *(*PyCFunction)(PyObject *self, PyObject *arguments);
typedef PyObject *(*getter)(PyObject *self, void *closure);
typedef int (*setter)(PyObject *self, PyObject *value, void *closure);

typedef struct {
    const char *ml_name;
    PyCFunction ml_meth;
    int ml_flags;
    const char *ml_doc;
} PyMethodDef;

#define METH_VARARGS 0x0001
#define METH_KEYWORDS 0x0002
#define METH_NOARGS 0x0004
#define METH_O 0x0008
#define METH_FASTCALL 0x0080

typedef struct {
    const char *name;
    getter get;
    setter set;
    const char *doc;
    void *closure;
} PyGetSetDef;

typedef struct {
    int slot;
    void *pfunc;
} PyType_Slot;

typedef struct {
    const char *name;
    int basicsize;
    int itemsize;
    unsigned int flags;
    PyType_Slot *slots;
} PyType_Spec;

#define Py_tp_dealloc 52
#define Py_tp_doc 56
#define Py_tp_methods 64
#define Py_tp_new 65
#define Py_tp_repr 66
#define Py_tp_getset 73
#define Py_tp_free 74

#define Py_TPFLAGS_DISALLOW_INSTANTIATION (1U << 7)
#define Py_TPFLAGS_IMMUTABLETYPE (1U << 8)
#define Py_TPFLAGS_BASETYPE (1U << 10)
#define Py_TPFLAGS_DEFAULT 0
#define Py_TPFLAGS_LIST_SUBCLASS (1U << 25)
#define Py_TPFLAGS_TUPLE_SUBCLASS (1U << 26)
#define Py_TPFLAGS_UNICODE_SUBCLASS (1U << 28)

PyObject *PyType_FromModuleAndSpec(PyObject *module, PyType_Spec *spec, PyObject *bases);
PyObject *PyObject_Init(PyObject *object, PyTypeObject *type);
PyObject *PyType_GenericAlloc(PyTypeObject *type, Py_ssize_t items);
unsigned long PyType_GetFlags(PyTypeObject *type);
void *PyType_GetSlot(PyTypeObject *type, int slot);

typedef struct {
    int slot;
    void *value;
} PyModuleDef_Slot;

#define Py_mod_exec 2
#ifdef Py_GIL_DISABLED
#define Py_mod_gil 4
#define Py_MOD_GIL_NOT_USED ((void *)1)
#endif

typedef struct PyModuleDef {
    struct {
        PyObject ob_base;
        PyObject *(*m_init)(void);
        Py_ssize_t m_index;
        PyObject *m_copy;
    } m_base;
    const char *m_name;
    const char *m_doc;
    Py_ssize_t m_size;
    PyMethodDef *m_methods;
    PyModuleDef_Slot *m_slots;
    int (*m_traverse)(PyObject *module, int (*visit)(PyObject *object, void *data), void *data);
    int (*m_clear)(PyObject *module);
    void (*m_free)(void *module);
} PyModuleDef;

#define PyModuleDef_HEAD_INIT {PyObject_HEAD_INIT(NULL), NULL, 0, NULL}

PyObject *PyModuleDef_Init(PyModuleDef *definition);
void *PyModule_GetState(PyObject *module);
int PyModule_AddObjectRef(PyObject *module, const char *name, PyObject *value);

int PyArg_ParseTupleAndKeywords(PyObject *arguments, PyObject *keywords, const char *format, char **names, ...);
int PyArg_UnpackTuple(PyObject *arguments, const char *name, Py_ssize_t least, Py_ssize_t most, ...);
PyObject *PyBool_FromLong(long value);
int PyBytes_AsStringAndSize(PyObject *object, char **bytes, Py_ssize_t *length);
char *PyBytes_AsString(PyObject *object);
PyObject *PyBytes_FromStringAndSize(const char *bytes, Py_ssize_t length);
void PyErr_Clear(void);
int PyErr_ExceptionMatches(PyObject *type);
PyObject *PyErr_Format(PyObject *type, const char *format, ...);
PyObject *PyErr_NoMemory(void);
PyObject *PyErr_Occurred(void);
void PyErr_SetNone(PyObject *type);
void PyErr_SetObject(PyObject *type, PyObject *value);
void PyErr_SetString(PyObject *type, const char *message);
double PyFloat_AsDouble(PyObject *object);
PyObject *PyFloat_FromDouble(double value);
PyObject *PyImport_ImportModule(const char *name);
long PyLong_AsLong(PyObject *number);
int PyIndex_Check(PyObject *object);
Py_ssize_t PyNumber_AsSsize_t(PyObject *number, PyObject *error);
PyObject *PyLong_FromLong(long value);
PyObject *PyLong_FromSsize_t(Py_ssize_t value);
PyObject *PyList_New(Py_ssize_t length);
int PyList_SetItem(PyObject *list, Py_ssize_t at, PyObject *item);
PyObject *PyLong_FromLongLong(long long value);
PyObject *PyLong_FromUnsignedLong(unsigned long value);
PyObject *PyLong_FromUnsignedLongLong(unsigned long long value);
PyObject *PyLong_FromVoidPtr(void *pointer);
PyObject *PyObject_CallMethod(PyObject *object, const char *name, const char *format, ...);
void *PyMem_Calloc(size_t count, size_t size);
void PyMem_Free(void *pointer);
PyObject *PyObject_CallFunctionObjArgs(PyObject *callable, ...);
PyObject *PyObject_GetAttrString(PyObject *object, const char *name);
void *PyObject_Malloc(size_t size);
void PyObject_Free(void *pointer);
PyObject *PySequence_Tuple(PyObject *iterable);
PyObject *PyTuple_GetItem(PyObject *tuple, Py_ssize_t at);
PyObject *PyTuple_New(Py_ssize_t length);
int PyTuple_SetItem(PyObject *tuple, Py_ssize_t at, PyObject *item);
Py_ssize_t PyTuple_Size(PyObject *tuple);
PyObject *PyUnicode_FromFormat(const char *format, ...);
PyObject *PyUnicode_FromString(const char *text);
PyObject *PyUnicode_FromStringAndSize(const char *text, Py_ssize_t length);
const char *PyUnicode_AsUTF8AndSize(PyObject *text, Py_ssize_t *length);
int PyUnicode_CompareWithASCIIString(PyObject *text, const char *other);
__attribute__((noreturn)) void Py_FatalError(const char *message);

#ifdef __cplusplus
}
#endif
#endif
