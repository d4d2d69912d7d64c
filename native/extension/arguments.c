/* Arguments by position and by name, buffers, and errors. */
#include "native/extension/arguments.h"

#include "native/aes_gcm/mode.h"

static Py_ssize_t find(const struct kp_parameters *parameters, PyObject *name) {
    for (Py_ssize_t i = 0; i < parameters->count; i++) {
        if (PyUnicode_CompareWithASCIIString(name, parameters->names[i]) == 0)
            return i;
    }
    return -1;
}

bool kp_bind_by_name(const struct kp_parameters *parameters, PyObject *const *arguments, Py_ssize_t given,
                     PyObject *keywords, PyObject **bound) {
    const char *function = parameters->function;
    if (given > parameters->positional) {
        PyErr_Format(PyExc_TypeError, "%s() takes %zd positional arguments but %zd were given", function,
                     parameters->positional, given);
        return false;
    }
    for (Py_ssize_t i = 0; i < parameters->count; i++)
        bound[i] = i < given ? arguments[i] : NULL;
    const Py_ssize_t named = keywords == NULL ? 0 : PyTuple_Size(keywords);
    for (Py_ssize_t i = 0; i < named; i++) {
        PyObject *name = PyTuple_GetItem(keywords, i);
        const Py_ssize_t at = find(parameters, name);
        if (at < 0) {
            PyErr_Format(PyExc_TypeError, "%s() got an unexpected keyword argument '%U'", function, name);
            return false;
        }
        if (bound[at] != NULL) {
            PyErr_Format(PyExc_TypeError, "%s() got multiple values for argument '%U'", function, name);
            return false;
        }
        bound[at] = arguments[given + i];
    }
    for (Py_ssize_t i = 0; i < parameters->required; i++) {
        if (bound[i] == NULL) {
            PyErr_Format(PyExc_TypeError, "%s() is missing the argument '%s'", function, parameters->names[i]);
            return false;
        }
    }
    return true;
}

/* The label as a string, a new reference. */
static PyObject *label_text(struct kp_label label) {
    return label.at < 0 ? PyUnicode_FromString(label.name) : PyUnicode_FromFormat("%s[%zd]", label.name, label.at);
}

/* Raises an error of `type` about an argument: "<label> must be <wanted><rest>". */
static void raise_about(PyObject *type, struct kp_label label, const char *wanted, PyObject *rest) {
    PyObject *name = label_text(label);
    if (name != NULL && rest != NULL)
        PyErr_Format(type, "%U must be %s%U", name, wanted, rest);
    Py_XDECREF(name);
    Py_XDECREF(rest);
}

static PyObject *type_name(PyObject *object) {
    return PyObject_GetAttrString((PyObject *)Py_TYPE(object), "__name__");
}

static PyObject *with_type_name(const char *format, PyObject *object) {
    PyObject *name = type_name(object);
    PyObject *text = name == NULL ? NULL : PyUnicode_FromFormat(format, name);
    Py_XDECREF(name);
    return text;
}

bool kp_take_view(PyObject *object, struct kp_label label, enum kp_access access, Py_buffer *view) {
    const char *wanted =
        access == KP_WRITE ? "a contiguous, writable buffer such as bytearray" : "a contiguous bytes-like object";
    if (!PyObject_CheckBuffer(object)) {
        raise_about(PyExc_TypeError, label, wanted, with_type_name(", not %U", object));
        return false;
    }
    if (PyObject_GetBuffer(object, view, access) == 0)
        return true;
    if (!PyErr_ExceptionMatches(PyExc_BufferError) && !PyErr_ExceptionMatches(PyExc_ValueError))
        return false;
    PyErr_Clear();
    /* Is it that one may not write to it, that it does not lie in one piece, or that it gives nothing at all? */
    if (access == KP_WRITE && PyObject_GetBuffer(object, view, KP_READ) == 0) {
        PyBuffer_Release(view);
        raise_about(PyExc_TypeError, label, wanted, with_type_name(": this %U is read-only", object));
        return false;
    }
    PyErr_Clear();
    if (PyObject_GetBuffer(object, view, PyBUF_FULL_RO) == 0) {
        PyBuffer_Release(view);
        raise_about(PyExc_BufferError, label, wanted,
                    with_type_name(access == KP_WRITE ? ": this %U has gaps; write to a bytearray and copy from there"
                                                      : ": this %U has gaps; copy it by bytes()",
                                   object));
    }
    return false;
}

struct kp_views *kp_add_views(struct kp_views **views, Py_ssize_t count) {
    struct kp_views *added = PyMem_Calloc(1, sizeof *added + (size_t)count * sizeof added->view[0]);
    if (added == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    added->next = *views;
    *views = added;
    return added;
}

void kp_drop_all(struct kp_views *views) {
    while (views != NULL) {
        struct kp_views *next = views->next;
        for (Py_ssize_t i = 0; i < views->count; i++)
            PyBuffer_Release(&views->view[i]);
        PyMem_Free(views);
        views = next;
    }
}

bool kp_take_among(PyObject *object, struct kp_label label, struct kp_span *span, struct kp_views **views) {
    Py_buffer none;
    if (Py_TYPE(object) == &PyBytes_Type)
        return kp_take(object, label, KP_READ, span, &none);
    struct kp_views *added = kp_add_views(views, 1);
    if (added == NULL || !kp_take_view(object, label, KP_READ, &added->view[0]))
        return false;
    added->count = 1;
    *span = (struct kp_span){added->view[0].buf, (size_t)added->view[0].len};
    return true;
}

/* A wrong piece is called `name[number]`, or, in a batch, by the name of the whole list. */
static bool take_pieces(PyObject *object, struct kp_label label, struct kp_associated *associated,
                        struct kp_views **views) {
    Py_ssize_t count;
    PyObject *pieces = kp_as_tuple(object, label.name, &count);
    struct kp_views *added = pieces == NULL ? NULL : kp_add_views(views, count);
    bool done = added != NULL;
    for (Py_ssize_t i = 0; done && i < count; i++) {
        done = kp_take_view(PyTuple_GetItem(pieces, i), label.at < 0 ? (struct kp_label){label.name, i} : label,
                            KP_READ, &added->view[i]);
        added->count += done;
    }
    Py_XDECREF(pieces);
    associated->pieces = added;
    return done;
}

bool kp_take_associated(PyObject *object, struct kp_label label, struct kp_associated *associated,
                        struct kp_views **views) {
    *associated = (struct kp_associated){{NULL, 0}, NULL};
    if (object == Py_None)
        return true;
    if (Py_TYPE(object) != &PyBytes_Type &&
        (PyType_GetFlags(Py_TYPE(object)) & (Py_TPFLAGS_LIST_SUBCLASS | Py_TPFLAGS_TUPLE_SUBCLASS)) != 0)
        return take_pieces(object, label, associated, views);
    return kp_take_among(object, label, &associated->span, views);
}

size_t kp_associated_length(const struct kp_associated *associated) {
    size_t length = associated->span.length;
    for (Py_ssize_t i = 0; associated->pieces != NULL && i < associated->pieces->count; i++)
        length += (size_t)associated->pieces->view[i].len;
    return length;
}

bool kp_take_kernel(PyObject *object, const char **name) {
    *name = NULL;
    if (object == NULL || object == Py_None)
        return true;
    if ((PyType_GetFlags(Py_TYPE(object)) & Py_TPFLAGS_UNICODE_SUBCLASS) == 0) {
        PyErr_SetString(PyExc_TypeError, "kernel must be a kernel's name or None");
        return false;
    }
    *name = PyUnicode_AsUTF8AndSize(object, NULL);
    return *name != NULL;
}

PyObject *kp_as_tuple(PyObject *object, const char *name, Py_ssize_t *count) {
    PyObject *tuple = PyObject_CheckBuffer(object) ? NULL : PySequence_Tuple(object);
    if (tuple != NULL) {
        *count = PyTuple_Size(tuple);
    } else if (PyErr_Occurred() == NULL || PyErr_ExceptionMatches(PyExc_TypeError)) {
        PyErr_Clear();
        raise_about(PyExc_TypeError, (struct kp_label){name, -1}, "a sequence of bytes-like objects",
                    with_type_name(", not %U", object));
    }
    return tuple;
}

PyObject *kp_new_bytes(size_t length, size_t more, uint8_t **data) {
    if (length > KP_AES_GCM_MOST_TEXT || length > (size_t)PY_SSIZE_T_MAX - more) {
        kp_raise(KP_TOO_LONG);
        return NULL;
    }
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(length + more));
    if (bytes != NULL)
        *data = (uint8_t *)PyBytes_AsString(bytes);
    return bytes;
}

PyObject *kp_error_type(const char *name) {
    PyObject *errors = PyImport_ImportModule("kernport.errors");
    PyObject *type = errors == NULL ? NULL : PyObject_GetAttrString(errors, name);
    Py_XDECREF(errors);
    return type;
}

static PyObject *raise_ours(const char *type_name, const char *text) {
    PyObject *type = kp_error_type(type_name);
    if (type != NULL)
        PyErr_SetString(type, text);
    Py_XDECREF(type);
    return NULL;
}

PyObject *kp_raise(kp_status status) {
    const char *text = kp_status_text(status);
    switch (status) {
    case KP_INVALID_TAG:
        return raise_ours("InvalidTag", text);
    case KP_UNKNOWN_KERNEL:
    case KP_UNAVAILABLE_KERNEL:
        return raise_ours("UnavailableKernel", text);
    case KP_NO_KERNEL:
        return raise_ours("NoKernel", text);
    case KP_NO_MEMORY:
        return PyErr_NoMemory();
    case KP_TOO_LONG:
        PyErr_SetString(PyExc_OverflowError, text);
        return NULL;
    default:
        PyErr_SetString(PyExc_ValueError, text);
        return NULL;
    }
}
