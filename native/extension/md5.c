/* MD5: hashlib's object. */
#include <pthread.h>

#include "native/extension/arguments.h"
#include "native/extension/fast.h"
#include "native/md5/state.h"
#include "native/wipe.h"

#define DIGEST_BYTES 16

/* Long updates run without the GIL, so from the first of them on a state is changed and read under a mutex; before,
 * holding the GIL is enough, and most objects never need more. Nobody waits for a mutex while holding the GIL: who
 * finds it taken gives up the GIL first. */
struct md5_object {
    PyObject_HEAD;
    bool has_mutex;
    pthread_mutex_t mutex;
    struct kp_md5_state state;
};

static void give_mutex(struct md5_object *self) {
    if (!self->has_mutex)
        pthread_mutex_init(&self->mutex, NULL);
    self->has_mutex = true;
}

static void lock(struct md5_object *self) {
    if (!self->has_mutex || pthread_mutex_trylock(&self->mutex) == 0)
        return;
    PyThreadState *state = PyEval_SaveThread();
    pthread_mutex_lock(&self->mutex);
    PyEval_RestoreThread(state);
}

static void unlock(struct md5_object *self) {
    if (self->has_mutex)
        pthread_mutex_unlock(&self->mutex);
}

static struct md5_object *make(PyTypeObject *type) {
    PyObject *object = PyObject_Malloc(sizeof(struct md5_object));
    if (object == NULL)
        return (struct md5_object *)PyErr_NoMemory();
    struct md5_object *self = (struct md5_object *)PyObject_Init(object, type);
    self->has_mutex = false;
#ifdef Py_GIL_DISABLED
    give_mutex(self);
#endif
    return self;
}

static void finish(PyObject *object) {
    struct md5_object *self = (struct md5_object *)object;
    kp_wipe(&self->state, sizeof self->state);
    if (self->has_mutex)
        pthread_mutex_destroy(&self->mutex);
    PyTypeObject *type = Py_TYPE(object);
    PyObject_Free(object); /* the type is final, and its objects are not garbage-collected */
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
    kp_md5_update(&self->state, data.data, data.length);
    kp_end_work(state);
}

PyObject *kp_fast_md5(PyObject *module, PyObject *const *arguments, Py_ssize_t given, PyObject *keywords) {
    static const struct kp_parameters parameters = {"md5", 1, 0, 4, {"data", "usedforsecurity", "kernel", "string"}};
    PyObject *bound[KP_MOST_PARAMETERS];
    PyObject *data = given == 1 ? arguments[0] : NULL;
    const char *kernel = NULL;
    if (keywords != NULL || given > 1) {
        if (!kp_bind_by_name(&parameters, arguments, given, keywords, bound) || !kp_take_kernel(bound[2], &kernel))
            return NULL;
        if (bound[0] != NULL && bound[3] != NULL)
            return PyErr_Format(PyExc_TypeError, "md5() takes 'data' or 'string', not both");
        data = bound[0] != NULL ? bound[0] : bound[3];
    }
    struct kp_span span = {NULL, 0};
    Py_buffer view = {.obj = NULL};
    if (data != NULL && !take_data(data, &span, &view))
        return NULL;
    PyTypeObject *type = (PyTypeObject *)((struct kp_module *)PyModule_GetState(module))->md5_type;
    struct md5_object *self = make(type);
    const kp_status status = self == NULL ? KP_OK : kp_md5_begin(&self->state, kernel);
    if (status != KP_OK) {
        Py_DECREF(self);
        self = NULL;
        kp_raise(status);
    }
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
    if (span.length > KP_MD5_BYTES_WITH_GIL)
        give_mutex(self);
    lock(self);
    PyThreadState *state = kp_begin_work(span.length, KP_MD5_BYTES_WITH_GIL);
    kp_md5_update(&self->state, span.data, span.length);
    unlock(self);
    kp_end_work(state);
    kp_drop(&view);
    Py_INCREF(Py_None);
    return Py_None;
}

static void get_digest(struct md5_object *self, uint8_t *digest) {
    lock(self);
    kp_md5_digest(&self->state, digest);
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
    struct md5_object *self = (struct md5_object *)object, *twin = make(Py_TYPE(object));
    (void)nothing;
    if (twin != NULL) {
        lock(self);
        twin->state = self->state;
        unlock(self);
    }
    return (PyObject *)twin;
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
