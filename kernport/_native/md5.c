/* MD5: hashlib's object. */
#include <pthread.h>

#include "kernport/_native/arguments.h"
#include "kernport/_native/fast.h"
#include "kernport/_native/files.h"

#define DIGEST_BYTES 16

/* Long updates run without the GIL, so a state is changed and read under a mutex of its own. Nobody waits for a mutex
 * while holding the GIL: who finds it taken gives up the GIL first. */
struct md5_object {
    PyObject_HEAD;
    pthread_mutex_t mutex;
    kp_md5_state *state;
};

static void lock(struct md5_object *self) {
    if (pthread_mutex_trylock(&self->mutex) == 0)
        return;
    PyThreadState *state = PyEval_SaveThread();
    pthread_mutex_lock(&self->mutex);
    PyEval_RestoreThread(state);
}

static void unlock(struct md5_object *self) {
    pthread_mutex_unlock(&self->mutex);
}

/* Takes over `state`. */
static struct md5_object *wrap(PyTypeObject *type, kp_md5_state *state) {
    struct md5_object *self = (struct md5_object *)PyType_GenericAlloc(type, 0);
    if (self == NULL) {
        kp_md5_free(state);
        return NULL;
    }
    pthread_mutex_init(&self->mutex, NULL);
    self->state = state;
    return self;
}

static void finish(PyObject *object) {
    struct md5_object *self = (struct md5_object *)object;
    kp_md5_free(self->state);
    pthread_mutex_destroy(&self->mutex);
    PyTypeObject *type = Py_TYPE(object);
    ((void (*)(void *))PyType_GetSlot(type, Py_tp_free))(object);
    Py_DECREF(type);
}

static bool take_data(PyObject *data, struct kp_span *span, Py_buffer *view) {
    if (Py_TYPE(data) != &PyBytes_Type && (PyType_GetFlags(Py_TYPE(data)) & Py_TPFLAGS_UNICODE_SUBCLASS) != 0) {
        PyErr_SetString(PyExc_TypeError, "Strings must be encoded before hashing");
        return false;
    }
    return kp_take(data, (struct kp_label){"data", -1}, KP_READ, span, view);
}

/* The caller holds the mutex, or is the only one who knows of the object. */
static void take_in(struct md5_object *self, struct kp_span data) {
    PyThreadState *state = kp_begin_work(data.length, KP_MD5_BYTES_WITH_GIL);
    kp_md5_update(self->state, data.data, data.length);
    kp_end_work(state);
}

/* None or a kernel's name. */
static bool take_kernel(PyObject *object, const char **name) {
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

PyObject *kp_fast_md5(PyObject *module, PyObject *const *arguments, Py_ssize_t given, PyObject *keywords) {
    static const struct kp_parameters parameters = {"md5", 1, 0, 4, {"data", "usedforsecurity", "kernel", "string"}};
    PyObject *bound[KP_MOST_PARAMETERS];
    PyObject *data = given == 1 ? arguments[0] : NULL;
    const char *kernel = NULL;
    if (keywords != NULL || given > 1) {
        if (!kp_bind_by_name(&parameters, arguments, given, keywords, bound) || !take_kernel(bound[2], &kernel))
            return NULL;
        if (bound[0] != NULL && bound[3] != NULL)
            return PyErr_Format(PyExc_TypeError, "md5() takes 'data' or 'string', not both");
        data = bound[0] != NULL ? bound[0] : bound[3];
    }
    struct kp_span span = {NULL, 0};
    Py_buffer view = {.obj = NULL};
    if (data != NULL && !take_data(data, &span, &view))
        return NULL;
    kp_md5_state *state;
    const kp_status status = kp_md5_new(&state, kernel);
    struct md5_object *self = NULL;
    if (status != KP_OK)
        kp_raise(status);
    else
        self = wrap((PyTypeObject *)((struct kp_module *)PyModule_GetState(module))->md5_type, state);
    if (self != NULL)
        take_in(self, span);
    kp_drop(&view);
    return (PyObject *)self;
}

static PyObject *update(PyObject *object, PyObject *data) {
    struct md5_object *self = (struct md5_object *)object;
    struct kp_span span;
    Py_buffer view;
    if (!take_data(data, &span, &view))
        return NULL;
    lock(self);
    PyThreadState *state = kp_begin_work(span.length, KP_MD5_BYTES_WITH_GIL);
    kp_md5_update(self->state, span.data, span.length);
    unlock(self);
    kp_end_work(state);
    kp_drop(&view);
    Py_INCREF(Py_None);
    return Py_None;
}

static void get_digest(struct md5_object *self, uint8_t *digest) {
    lock(self);
    kp_md5_digest(self->state, digest);
    unlock(self);
}

static PyObject *digest(PyObject *object, PyObject *nothing) {
    (void)nothing;
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, DIGEST_BYTES);
    if (bytes != NULL)
        get_digest((struct md5_object *)object, (uint8_t *)PyBytes_AsString(bytes));
    return bytes;
}

static PyObject *hexdigest(PyObject *object, PyObject *nothing) {
    static const char hexadecimal[] = "0123456789abcdef";
    uint8_t bytes[DIGEST_BYTES];
    char digits[2 * DIGEST_BYTES];
    (void)nothing;
    get_digest((struct md5_object *)object, bytes);
    for (int i = 0; i < DIGEST_BYTES; i++) {
        digits[2 * i] = hexadecimal[bytes[i] >> 4];
        digits[2 * i + 1] = hexadecimal[bytes[i] & 15];
    }
    return PyUnicode_FromStringAndSize(digits, sizeof digits);
}

static PyObject *copy(PyObject *object, PyObject *nothing) {
    struct md5_object *self = (struct md5_object *)object;
    kp_md5_state *state;
    (void)nothing;
    lock(self);
    const kp_status status = kp_md5_copy(&state, self->state);
    unlock(self);
    return status == KP_OK ? (PyObject *)wrap(Py_TYPE(object), state) : kp_raise(status);
}

static PyObject *represent(PyObject *self) {
    return PyUnicode_FromFormat("<md5 kernport object @ %p>", self);
}

static PyObject *get_name(PyObject *self, void *closure) {
    (void)self;
    (void)closure;
    return PyUnicode_FromString("md5");
}

static PyObject *get_digest_size(PyObject *self, void *closure) {
    (void)self;
    (void)closure;
    return PyLong_FromLong(DIGEST_BYTES);
}

static PyObject *get_block_size(PyObject *self, void *closure) {
    (void)self;
    (void)closure;
    return PyLong_FromLong(64);
}

static PyGetSetDef attributes[] = {
    {"name", get_name, NULL, "The algorithm's name: md5.", NULL},
    {"digest_size", get_digest_size, NULL, "The length of a digest: 16 bytes.", NULL},
    {"block_size", get_block_size, NULL, "The length of the blocks that are taken in: 64 bytes.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef methods[] = {
    {"update", update, METH_O, "update($self, data, /)\n--\n\nTake in the next piece, a contiguous bytes-like object."},
    {"digest", digest, METH_NOARGS,
     "digest($self, /)\n--\n\nReturn the 16 bytes for what was taken in so far; more may follow."},
    {"hexdigest", hexdigest, METH_NOARGS, "hexdigest($self, /)\n--\n\nReturn `digest` as 32 hexadecimal digits."},
    {"copy", copy, METH_NOARGS, "copy($self, /)\n--\n\nReturn an object that goes on from the same state."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, (void *)"A message in pieces, as hashlib's objects; made by md5(). Several threads may use one."},
    {Py_tp_dealloc, (void *)finish},
    {Py_tp_repr, (void *)represent},
    {Py_tp_methods, methods},
    {Py_tp_getset, attributes},
    {0, NULL},
};

PyType_Spec kp_md5_spec = {
    .name = "kernport.digest.MD5",
    .basicsize = sizeof(struct md5_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = slots,
};

static PyObject *list_of_digests(const uint8_t *digests, Py_ssize_t count) {
    PyObject *list = PyList_New(count);
    for (Py_ssize_t i = 0; list != NULL && i < count; i++) {
        PyObject *bytes = PyBytes_FromStringAndSize((const char *)digests + DIGEST_BYTES * i, DIGEST_BYTES);
        if (bytes == NULL || PyList_SetItem(list, i, bytes) != 0) {
            Py_DECREF(list);
            list = NULL;
        }
    }
    return list;
}

PyObject *kp_fast_md5_many(PyObject *module, PyObject *const *arguments, Py_ssize_t given, PyObject *keywords) {
    static const struct kp_parameters parameters = {"md5_many", 1, 1, 2, {"buffers", "kernel"}};
    PyObject *bound[KP_MOST_PARAMETERS];
    const char *kernel;
    Py_ssize_t count;
    (void)module;
    if (!kp_bind_by_name(&parameters, arguments, given, keywords, bound) || !take_kernel(bound[1], &kernel))
        return NULL;
    PyObject *buffers = kp_as_tuple(bound[0], "buffers", &count);
    if (buffers == NULL)
        return NULL;
    struct kp_views *views = NULL;
    PyObject *result = NULL;
    const uint8_t **data = PyMem_Calloc((size_t)count, sizeof *data);
    size_t *lengths = PyMem_Calloc((size_t)count, sizeof *lengths);
    uint8_t *digests = PyMem_Calloc((size_t)count, DIGEST_BYTES);
    if (data == NULL || lengths == NULL || digests == NULL) {
        PyErr_NoMemory();
        goto end;
    }
    size_t total = 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        struct kp_span span;
        if (!kp_take_among(PyTuple_GetItem(buffers, i), (struct kp_label){"buffers", i}, &span, &views))
            goto end;
        data[i] = span.data;
        lengths[i] = span.length;
        total += span.length;
    }
    PyThreadState *state = kp_begin_work(total, KP_MD5_BYTES_WITH_GIL);
    const kp_status status = kp_md5_many(data, lengths, (size_t)count, digests, kernel);
    kp_end_work(state);
    result = status == KP_OK ? list_of_digests(digests, count) : kp_raise(status);
end:
    PyMem_Free(digests);
    PyMem_Free(lengths);
    PyMem_Free(data);
    kp_drop_all(views);
    Py_DECREF(buffers);
    return result;
}

static PyObject *digest_or_error(const struct kp_file *file) {
    return file->error != 0 ? PyLong_FromLong(file->error)
                            : PyBytes_FromStringAndSize((const char *)file->digest, DIGEST_BYTES);
}

PyObject *kp_fast_md5_files(PyObject *module, PyObject *const *arguments, Py_ssize_t given, PyObject *keywords) {
    static const struct kp_parameters parameters = {"md5_files", 3, 3, 3, {"paths", "threads", "progress"}};
    PyObject *bound[KP_MOST_PARAMETERS], *result = NULL;
    Py_ssize_t count;
    struct kp_span shared;
    Py_buffer view;
    (void)module;
    arguments = kp_bind(&parameters, arguments, given, keywords, bound);
    if (arguments == NULL)
        return NULL;
    const long threads = PyLong_AsLong(arguments[1]);
    if (PyErr_Occurred() != NULL || !kp_take(arguments[2], (struct kp_label){"progress", -1}, KP_WRITE, &shared, &view))
        return NULL;
    PyObject *paths = kp_as_tuple(arguments[0], "paths", &count);
    struct kp_file *files = paths == NULL ? NULL : PyMem_Calloc((size_t)count, sizeof *files);
    if (paths != NULL && files == NULL)
        PyErr_NoMemory();
    if (files != NULL && (threads < 1 || shared.length != sizeof(struct kp_files_progress)))
        PyErr_Format(PyExc_ValueError, "threads must be 1 or more, and progress an array of three unsigned longs");
    for (Py_ssize_t i = 0; files != NULL && PyErr_Occurred() == NULL && i < count; i++)
        files[i].path = PyBytes_AsString(PyTuple_GetItem(paths, i));
    if (files != NULL && PyErr_Occurred() == NULL) {
        PyThreadState *state = PyEval_SaveThread();
        const kp_status status =
            kp_md5_files(files, (size_t)count, (size_t)threads, (struct kp_files_progress *)(void *)shared.data);
        PyEval_RestoreThread(state);
        result = status == KP_OK ? PyList_New(count) : kp_raise(status);
        for (Py_ssize_t i = 0; result != NULL && i < count; i++)
            PyList_SetItem(result, i, digest_or_error(&files[i]));
    }
    PyMem_Free(files);
    Py_XDECREF(paths);
    kp_drop(&view);
    return result;
}
