/* AESGCM: whole messages, one a call. */
#include "native/extension/fast.h"
#include "native/extension/key.h"
#include "native/extension/many.h"

/* A message's inputs, and the caller's own buffer for the result, if there is one. */
struct message {
    struct kp_span nonce, text, out;
    struct kp_associated associated;
    Py_buffer nonce_view, text_view, out_view;
    struct kp_views *views;
};

static void drop_message(struct message *message) {
    kp_drop(&message->nonce_view);
    kp_drop(&message->text_view);
    kp_drop(&message->out_view);
    kp_drop_all(message->views);
}

/* First what the arguments are, then how long they are, as pyca checks them. `buf` is NULL where there is none. */
static bool take_message(const struct kp_key_object *self, PyObject *nonce, PyObject *data, PyObject *associated_data,
                         PyObject *buf, struct message *message) {
    message->nonce_view.obj = NULL;
    message->text_view.obj = NULL;
    message->out_view.obj = NULL;
    message->views = NULL;
    if (kp_take(nonce, (struct kp_label){"nonce", -1}, KP_READ, &message->nonce, &message->nonce_view) &&
        kp_take(data, (struct kp_label){"data", -1}, KP_READ, &message->text, &message->text_view) &&
        kp_take_associated(associated_data, (struct kp_label){"associated_data", -1}, &message->associated,
                           &message->views) &&
        (buf == NULL || kp_take(buf, (struct kp_label){"buf", -1}, KP_WRITE, &message->out, &message->out_view)) &&
        kp_check_nonce(self, message->nonce.length, -1))
        return true;
    drop_message(message);
    return false;
}

static size_t work(const struct message *message) {
    return message->text.length + kp_associated_length(&message->associated);
}

static kp_status seal(const struct kp_key_object *self, const struct message *message, uint8_t *out, uint8_t *tag) {
    PyThreadState *state = kp_begin_work(work(message), KP_AES_GCM_BYTES_WITH_GIL);
    const kp_status status = kp_seal(self, message->nonce, &message->associated, message->text, out, tag);
    kp_end_work(state);
    return status;
}

static kp_status open(const struct kp_key_object *self, const struct message *message, uint8_t *out,
                      const uint8_t *tag) {
    PyThreadState *state = kp_begin_work(work(message), KP_AES_GCM_BYTES_WITH_GIL);
    const kp_status status = kp_open(self, message->nonce, &message->associated, message->text, out, tag);
    kp_end_work(state);
    return status;
}

/* The result, if the status allows. */
static PyObject *result_or_error(PyObject *result, kp_status status) {
    if (status == KP_OK)
        return result;
    Py_DECREF(result);
    return kp_raise(status);
}

static PyObject *encrypt(PyObject *object, PyObject *const *arguments, Py_ssize_t given, PyObject *keywords) {
    static const struct kp_parameters parameters = {"encrypt", 3, 3, 3, {"nonce", "data", "associated_data"}};
    const struct kp_key_object *self = (struct kp_key_object *)object;
    PyObject *bound[KP_MOST_PARAMETERS];
    struct message message;
    arguments = kp_bind(&parameters, arguments, given, keywords, bound);
    if (arguments == NULL || !take_message(self, arguments[0], arguments[1], arguments[2], NULL, &message))
        return NULL;
    uint8_t *out;
    PyObject *result = kp_new_bytes(message.text.length, (size_t)self->tag_length, &out);
    if (result != NULL)
        result = result_or_error(result, seal(self, &message, out, out + message.text.length));
    drop_message(&message);
    return result;
}

static PyObject *encrypt_detached(PyObject *object, PyObject *const *arguments, Py_ssize_t given, PyObject *keywords) {
    static const struct kp_parameters parameters = {"encrypt_detached", 3, 3, 3, {"nonce", "data", "associated_data"}};
    const struct kp_key_object *self = (struct kp_key_object *)object;
    PyObject *bound[KP_MOST_PARAMETERS];
    struct message message;
    arguments = kp_bind(&parameters, arguments, given, keywords, bound);
    if (arguments == NULL || !take_message(self, arguments[0], arguments[1], arguments[2], NULL, &message))
        return NULL;
    uint8_t *out, *tag_out;
    PyObject *text = kp_new_bytes(message.text.length, 0, &out);
    PyObject *tag = text == NULL ? NULL : kp_new_bytes(0, (size_t)self->tag_length, &tag_out);
    PyObject *pair = tag == NULL ? NULL : PyTuple_New(2);
    if (pair == NULL) {
        Py_XDECREF(text);
        Py_XDECREF(tag);
    } else {
        PyTuple_SetItem(pair, 0, text);
        PyTuple_SetItem(pair, 1, tag);
        pair = result_or_error(pair, seal(self, &message, out, tag_out));
    }
    drop_message(&message);
    return pair;
}

static PyObject *decrypt(PyObject *object, PyObject *const *arguments, Py_ssize_t given, PyObject *keywords) {
    static const struct kp_parameters parameters = {"decrypt", 3, 3, 3, {"nonce", "data", "associated_data"}};
    const struct kp_key_object *self = (struct kp_key_object *)object;
    PyObject *bound[KP_MOST_PARAMETERS];
    struct message message;
    arguments = kp_bind(&parameters, arguments, given, keywords, bound);
    if (arguments == NULL || !take_message(self, arguments[0], arguments[1], arguments[2], NULL, &message))
        return NULL;
    PyObject *result = NULL;
    if (message.text.length < (size_t)self->tag_length) {
        kp_raise(KP_INVALID_TAG);
    } else {
        message.text.length -= (size_t)self->tag_length;
        uint8_t *out;
        result = kp_new_bytes(message.text.length, 0, &out);
        if (result != NULL)
            result = result_or_error(result, open(self, &message, out, message.text.data + message.text.length));
    }
    drop_message(&message);
    return result;
}

static PyObject *decrypt_detached(PyObject *object, PyObject *const *arguments, Py_ssize_t given, PyObject *keywords) {
    static const struct kp_parameters parameters = {
        "decrypt_detached", 4, 4, 4, {"nonce", "data", "tag", "associated_data"}};
    const struct kp_key_object *self = (struct kp_key_object *)object;
    PyObject *bound[KP_MOST_PARAMETERS];
    struct message message;
    struct kp_span tag;
    Py_buffer tag_view;
    arguments = kp_bind(&parameters, arguments, given, keywords, bound);
    if (arguments == NULL || !take_message(self, arguments[0], arguments[1], arguments[3], NULL, &message))
        return NULL;
    PyObject *result = NULL;
    if (kp_take(arguments[2], (struct kp_label){"tag", -1}, KP_READ, &tag, &tag_view)) {
        uint8_t *out;
        if (tag.length != (size_t)self->tag_length)
            kp_raise(KP_INVALID_TAG);
        else if ((result = kp_new_bytes(message.text.length, 0, &out)) != NULL)
            result = result_or_error(result, open(self, &message, out, tag.data));
        kp_drop(&tag_view);
    }
    drop_message(&message);
    return result;
}

/* Whether the caller's own buffer is for a result of `length` bytes. */
static bool check_output(const struct message *message, size_t length) {
    if (message->out.length == length)
        return true;
    PyErr_Format(PyExc_ValueError, "buffer must be %zu bytes", length);
    return false;
}

static PyObject *length_or_error(size_t length, kp_status status) {
    return status == KP_OK ? PyLong_FromSsize_t((Py_ssize_t)length) : kp_raise(status);
}

static PyObject *encrypt_into(PyObject *object, PyObject *const *arguments, Py_ssize_t given, PyObject *keywords) {
    static const struct kp_parameters parameters = {
        "encrypt_into", 4, 4, 4, {"nonce", "data", "associated_data", "buf"}};
    const struct kp_key_object *self = (struct kp_key_object *)object;
    PyObject *bound[KP_MOST_PARAMETERS];
    struct message message;
    arguments = kp_bind(&parameters, arguments, given, keywords, bound);
    if (arguments == NULL || !take_message(self, arguments[0], arguments[1], arguments[2], arguments[3], &message))
        return NULL;
    PyObject *result = NULL;
    uint8_t *out = message.out.data;
    if (check_output(&message, message.text.length + (size_t)self->tag_length))
        result = length_or_error(message.out.length, seal(self, &message, out, out + message.text.length));
    drop_message(&message);
    return result;
}

static PyObject *decrypt_into(PyObject *object, PyObject *const *arguments, Py_ssize_t given, PyObject *keywords) {
    static const struct kp_parameters parameters = {
        "decrypt_into", 4, 4, 4, {"nonce", "data", "associated_data", "buf"}};
    const struct kp_key_object *self = (struct kp_key_object *)object;
    PyObject *bound[KP_MOST_PARAMETERS];
    struct message message;
    arguments = kp_bind(&parameters, arguments, given, keywords, bound);
    if (arguments == NULL || !take_message(self, arguments[0], arguments[1], arguments[2], arguments[3], &message))
        return NULL;
    PyObject *result = NULL;
    if (message.text.length < (size_t)self->tag_length) {
        kp_raise(KP_INVALID_TAG);
    } else {
        message.text.length -= (size_t)self->tag_length;
        const uint8_t *tag = message.text.data + message.text.length;
        if (check_output(&message, message.text.length))
            result = length_or_error(message.out.length, open(self, &message, message.out.data, tag));
    }
    drop_message(&message);
    return result;
}

static PyMethodDef methods[] = {
    KP_FAST("encrypt", encrypt,
            "encrypt($self, nonce, data, associated_data)\n--\n\n"
            "Encrypt `data`; returns the ciphertext (as long as `data`) followed by the tag.\n\n"
            "Raises ValueError for a nonce of the wrong length, OverflowError beyond 2^36 - 32 bytes."),
    KP_FAST("encrypt_into", encrypt_into,
            "encrypt_into($self, nonce, data, associated_data, buf)\n--\n\n"
            "As `encrypt`, but write to `buf`, which must have exactly the result's length; returns that length.\n\n"
            "`buf` may begin at the very bytes of `data` (in place); any other overlap is a ValueError."),
    KP_FAST("encrypt_detached", encrypt_detached,
            "encrypt_detached($self, nonce, data, associated_data)\n--\n\n"
            "As `encrypt`; returns ciphertext and tag apart."),
    KP_FAST("decrypt", decrypt,
            "decrypt($self, nonce, data, associated_data)\n--\n\n"
            "Verify and decrypt `data`, ciphertext followed by tag; returns the text.\n\n"
            "Raises InvalidTag when the tag does not match, or `data` is shorter than a tag."),
    KP_FAST("decrypt_into", decrypt_into,
            "decrypt_into($self, nonce, data, associated_data, buf)\n--\n\n"
            "As `decrypt`, but write to `buf`, which must have exactly the text's length; returns that length.\n\n"
            "When the tag does not match, `buf` holds zeros."),
    KP_FAST("decrypt_detached", decrypt_detached,
            "decrypt_detached($self, nonce, data, tag, associated_data)\n--\n\n"
            "As `decrypt`, the tag given apart."),
    KP_FAST("encrypt_many", kp_encrypt_many,
            "encrypt_many($self, nonces, messages, aads=None)\n--\n\n"
            "Encrypt many messages in one call; returns a list of what `encrypt` returns for each, in order.\n\n"
            "There is a nonce for each message and, if `aads` is given, associated data or None. Raises ValueError\n"
            "if they are not equally many or a nonce has the wrong length."),
    KP_FAST("decrypt_many", kp_decrypt_many,
            "decrypt_many($self, nonces, messages, aads=None)\n--\n\n"
            "Verify and decrypt many messages in one call; returns a list of their texts, in order.\n\n"
            "Raises InvalidTags if some tags do not match: its `indices` says which, its `texts` has the others."),
    {NULL, NULL, 0, NULL},
};

static PyObject *new_object(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
    return kp_key_object_new(type, "O|$OpO:AESGCM", arguments, keywords);
}

static PyType_Slot slots[] = {
    {Py_tp_new, (void *)new_object},
    {Py_tp_dealloc, (void *)kp_key_object_free},
    {Py_tp_methods, methods},
    {Py_tp_getset, kp_key_object_attributes},
    {0, NULL},
};

PyType_Spec kp_aesgcm_spec = {
    .name = "kernport._fast.AESGCM",
    .basicsize = sizeof(struct kp_key_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = slots,
};
