/* AESGCM and GMAC objects: making, ending, and the two operations under any kind of AAD. */
#include "native/extension/key.h"

#include "native/wipe.h"

static bool take_tag_length(PyObject *object, Py_ssize_t *length) {
    *length = 16;
    if (object == NULL)
        return true;
    if (!PyIndex_Check(object)) {
        PyErr_Format(PyExc_TypeError, "tag_length must be a number of bytes, 4, 8 or 12 to 16, not %R", object);
        return false;
    }
    /* A number of any size: what does not fit is no length either. */
    *length = PyNumber_AsSsize_t(object, NULL);
    if (*length == 4 || *length == 8 || (*length >= 12 && *length <= 16))
        return true;
    if (PyErr_Occurred() == NULL)
        PyErr_Format(PyExc_ValueError, "tag_length must be 4, 8 or 12 to 16 bytes, not %R", object);
    return false;
}

PyObject *kp_key_object_new(PyTypeObject *type, const char *format, PyObject *arguments, PyObject *keywords) {
    static char *names[] = {"key", "tag_length", "any_nonce_length", "kernel", NULL};
    PyObject *key, *wanted_length = NULL, *wanted_kernel = NULL;
    Py_ssize_t tag_length;
    int any_nonce_length = 0;
    const char *kernel;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, format, names, &key, &wanted_length, &any_nonce_length,
                                     &wanted_kernel) ||
        !take_tag_length(wanted_length, &tag_length) || !kp_take_kernel(wanted_kernel, &kernel))
        return NULL;
    struct kp_span bytes;
    Py_buffer view;
    if (!kp_take(key, (struct kp_label){"key", -1}, KP_READ, &bytes, &view))
        return NULL;
    kp_aes_gcm_key *made;
    const kp_status status = kp_aes_gcm_key_new(&made, bytes.data, bytes.length, kernel);
    kp_drop(&view);
    if (status == KP_BAD_KEY_LENGTH)
        return PyErr_Format(PyExc_ValueError, "AESGCM key must be 128, 192, or 256 bits.");
    if (status != KP_OK)
        return kp_raise(status);
    struct kp_key_object *self = (struct kp_key_object *)PyType_GenericAlloc(type, 0);
    if (self == NULL) {
        kp_aes_gcm_key_free(made);
        return NULL;
    }
    self->key = made;
    self->tag_length = tag_length;
    self->any_nonce_length = any_nonce_length != 0;
    return (PyObject *)self;
}

void kp_key_object_free(PyObject *self) {
    kp_aes_gcm_key_free(((struct kp_key_object *)self)->key);
    PyTypeObject *type = Py_TYPE(self);
    ((void (*)(void *))PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static PyObject *get_kernel(PyObject *self, void *closure) {
    (void)closure;
    return PyUnicode_FromString(kp_aes_gcm_key_kernel(((struct kp_key_object *)self)->key));
}

static PyObject *get_tag_length(PyObject *self, void *closure) {
    (void)closure;
    return PyLong_FromSsize_t(((struct kp_key_object *)self)->tag_length);
}

static PyObject *get_any_nonce_length(PyObject *self, void *closure) {
    (void)closure;
    return PyBool_FromLong(((struct kp_key_object *)self)->any_nonce_length);
}

static PyObject *get_address(PyObject *self, void *closure) {
    (void)closure;
    return PyLong_FromVoidPtr(((struct kp_key_object *)self)->key);
}

PyGetSetDef kp_key_object_attributes[] = {
    {"kernel", get_kernel, NULL, "The name of the kernel at work.", NULL},
    {"tag_length", get_tag_length, NULL, "The length of every tag, in bytes.", NULL},
    {"any_nonce_length", get_any_nonce_length, NULL,
     "Whether nonces of fewer than 8 or more than 128 bytes may be used.", NULL},
    {"_address", get_address, NULL, "Where the kp_aes_gcm_key lies; it lives as long as this object.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

bool kp_check_nonce(const struct kp_key_object *self, size_t length, Py_ssize_t at) {
    if (self->any_nonce_length ? length != 0 : length >= 8 && length <= 128)
        return true;
    const char *allowed =
        self->any_nonce_length ? "Nonce must have at least 1 byte" : "Nonce must be between 8 and 128 bytes";
    if (at < 0)
        PyErr_SetString(PyExc_ValueError, allowed);
    else
        PyErr_Format(PyExc_ValueError, "%s: nonces[%zd] has %zu", allowed, at, length);
    return false;
}

static kp_status begin_stream(kp_aes_gcm_stream **stream, const struct kp_key_object *self, kp_direction direction,
                              struct kp_span nonce, const struct kp_views *pieces) {
    kp_status status = kp_aes_gcm_stream_new(stream, self->key, direction, nonce.data, nonce.length);
    for (Py_ssize_t i = 0; status == KP_OK && i < pieces->count; i++)
        status = kp_aes_gcm_stream_aad(*stream, pieces->view[i].buf, (size_t)pieces->view[i].len);
    return status;
}

kp_status kp_seal(const struct kp_key_object *self, struct kp_span nonce, const struct kp_associated *associated,
                  struct kp_span text, uint8_t *out, uint8_t *tag) {
    const size_t tag_length = (size_t)self->tag_length;
    if (associated->pieces == NULL)
        return kp_aes_gcm_seal(self->key, nonce.data, nonce.length, associated->span.data, associated->span.length,
                               text.data, text.length, out, tag, tag_length);
    kp_aes_gcm_stream *stream;
    kp_status status = begin_stream(&stream, self, KP_ENCRYPT, nonce, associated->pieces);
    if (status == KP_OK)
        status = kp_aes_gcm_stream_text(stream, text.data, text.length, out);
    if (status == KP_OK)
        status = kp_aes_gcm_stream_tag(stream, tag, tag_length);
    kp_aes_gcm_stream_free(stream);
    return status;
}

kp_status kp_open(const struct kp_key_object *self, struct kp_span nonce, const struct kp_associated *associated,
                  struct kp_span text, uint8_t *out, const uint8_t *tag) {
    const size_t tag_length = (size_t)self->tag_length;
    if (associated->pieces == NULL)
        return kp_aes_gcm_open(self->key, nonce.data, nonce.length, associated->span.data, associated->span.length,
                               text.data, text.length, out, tag, tag_length);
    kp_aes_gcm_stream *stream;
    kp_status status = begin_stream(&stream, self, KP_DECRYPT, nonce, associated->pieces);
    if (status == KP_OK)
        status = kp_aes_gcm_stream_text(stream, text.data, text.length, out);
    if (status == KP_OK) {
        status = kp_aes_gcm_stream_verify(stream, tag, tag_length);
        if (status != KP_OK)
            kp_wipe(out, text.length);
    }
    kp_aes_gcm_stream_free(stream);
    return status;
}
