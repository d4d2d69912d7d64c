/* What the fast calls share: arguments by position and by name, buffers, errors, and when to give up the GIL.
 *
 * A function that returns false or NULL has set a Python exception. */
#ifndef KP_ARGUMENTS_H
#define KP_ARGUMENTS_H

#include <Python.h>

#include <stdbool.h>

#include "kernport.h"

/* Work on more bytes than this is done without the GIL: below, giving it up and waiting for it costs more than it
 * lets others do. MD5 takes twenty times as long for a byte as AES-GCM. */
#define KP_AES_GCM_BYTES_WITH_GIL 8192
#define KP_MD5_BYTES_WITH_GIL 2048

#define KP_MOST_PARAMETERS 5

/* A function's parameters: `names` in order, of which the first `positional` may be given by position and the first
 * `required` must be given. */
struct kp_parameters {
    const char *function;
    Py_ssize_t positional, required, count;
    const char *names[KP_MOST_PARAMETERS];
};

/* Sorts a call's arguments by parameter into `bound`; NULL stands for those not given. */
bool kp_bind_by_name(const struct kp_parameters *parameters, PyObject *const *arguments, Py_ssize_t given,
                     PyObject *keywords, PyObject **bound);

/* The arguments sorted by parameter: most calls have them so already. `bound` is room for them. */
static inline PyObject *const *kp_bind(const struct kp_parameters *parameters, PyObject *const *arguments,
                                       Py_ssize_t given, PyObject *keywords, PyObject **bound) {
    if (keywords == NULL && given == parameters->count)
        return arguments;
    return kp_bind_by_name(parameters, arguments, given, keywords, bound) ? bound : NULL;
}

/* What an argument is called in an error: `name`, or `name[at]` where `at` is not negative. */
struct kp_label {
    const char *name;
    Py_ssize_t at;
};

struct kp_span {
    uint8_t *data;
    size_t length;
};

enum kp_access { KP_READ = PyBUF_SIMPLE, KP_WRITE = PyBUF_WRITABLE };

/* Takes a buffer that is not `bytes`. */
bool kp_take_view(PyObject *object, struct kp_label label, enum kp_access access, Py_buffer *view);

/* The bytes of a contiguous buffer. They stay until kp_drop(view); those of a `bytes` object, which needs no view,
 * stay as long as the caller keeps the object. */
static inline bool kp_take(PyObject *object, struct kp_label label, enum kp_access access, struct kp_span *span,
                           Py_buffer *view) {
    if (Py_TYPE(object) == &PyBytes_Type && access == KP_READ) {
        char *data;
        Py_ssize_t length;
        PyBytes_AsStringAndSize(object, &data, &length);
        *span = (struct kp_span){(uint8_t *)data, (size_t)length};
        view->obj = NULL;
        return true;
    }
    if (!kp_take_view(object, label, access, view))
        return false;
    *span = (struct kp_span){view->buf, (size_t)view->len};
    return true;
}

static inline void kp_drop(Py_buffer *view) {
    if (view->obj != NULL)
        PyBuffer_Release(view);
}

/* Views that are dropped together, in as many portions as they were taken. */
struct kp_views {
    struct kp_views *next;
    Py_ssize_t count;
    Py_buffer view[];
};

/* A new portion at the head of `views`, with room for `count` views but none in it. */
struct kp_views *kp_add_views(struct kp_views **views, Py_ssize_t count);
void kp_drop_all(struct kp_views *views);

/* As kp_take, the view being added to `views`. */
bool kp_take_among(PyObject *object, struct kp_label label, struct kp_span *span, struct kp_views **views);

/* Associated data: one buffer, or the concatenation of several. */
struct kp_associated {
    struct kp_span span;
    const struct kp_views *pieces; /* NULL where there is one buffer */
};

/* Takes None, a buffer, or a list or tuple of buffers. */
bool kp_take_associated(PyObject *object, struct kp_label label, struct kp_associated *associated,
                        struct kp_views **views);

size_t kp_associated_length(const struct kp_associated *associated);

/* None, or nothing at all, or a kernel's name. */
bool kp_take_kernel(PyObject *object, const char **name);

/* A sequence or iterable as a tuple, so that nobody changes it meanwhile; `count` is its length. */
PyObject *kp_as_tuple(PyObject *object, const char *name, Py_ssize_t *count);

/* New bytes with room for a text of `length` and for `more`; their contents are at `*data`. */
PyObject *kp_new_bytes(size_t length, size_t more, uint8_t **data);

/* Raises what a status other than KP_OK stands for; returns NULL. */
PyObject *kp_raise(kp_status status);

/* The attribute `name` of the module kernport.errors, a new reference. */
PyObject *kp_error_type(const char *name);

/* Gives up the GIL if there are more than `most` bytes to work on. */
static inline PyThreadState *kp_begin_work(size_t bytes, size_t most) {
    return bytes > most ? PyEval_SaveThread() : NULL;
}

static inline void kp_end_work(PyThreadState *state) {
    if (state != NULL)
        PyEval_RestoreThread(state);
}

#endif
