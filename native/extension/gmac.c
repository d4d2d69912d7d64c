/* GMAC: AES-GCM with nothing to encrypt. */
#include "native/extension/fast.h"
#include "native/extension/key.h"
#include "native/extension/many.h"

struct message {
    struct kp_span nonce;
    struct kp_associated associated;
    Py_buffer nonce_view;
    struct kp_views *views;
};

static void drop_message(struct message *message) {
    kp_drop(&message->nonce_view);
    kp_drop_all(message->views);
}

static bool take_message(const struct kp_key_object *self, PyObject *nonce, PyObject *data, struct message *message) {
    message->nonce_view.obj = NULL;
    message->views = NULL;
    message->associated.pieces = NULL;
    if (kp_take(nonce, (struct kp_label){"nonce", -1}, KP_READ, &message->nonce, &message->nonce_view) &&
        kp_take_among(data, (struct kp_label){"data", -1}, &message->associated.span, &message->views) &&
        kp_check_nonce(self, message->nonce.length, -1))
        return true;
    drop_message(message);
    return false;
}

static PyObject *sign(PyObject *object, PyObject *const *arguments, Py_ssize_t given, PyObject *keywords) {
    static const struct kp_parameters parameters = {"sign", 2, 2, 2, {"nonce", "data"}};
    const struct kp_key_object *self = (struct kp_key_object *)object;
    PyObject *bound[KP_MOST_PARAMETERS];
    struct message message;
    arguments = kp_bind(&parameters, arguments, given, keywords, bound);
    if (arguments == NULL || !take_message(self, arguments[0], arguments[1], &message))
        return NULL;
    PyObject *tag = PyBytes_FromStringAndSize(NULL, self->tag_length);
    if (tag != NULL) {
        uint8_t *out = (uint8_t *)PyBytes_AsString(tag);
        PyThreadState *state = kp_begin_work(message.associated.span.length, KP_AES_GCM_BYTES_WITH_GIL);
        const kp_status status =
            kp_seal(self, message.nonce, &message.associated, (struct kp_span){NULL, 0}, NULL, out);
        kp_end_work(state);
        if (status != KP_OK) {
            Py_DECREF(tag);
            tag = kp_raise(status);
        }
    }
    drop_message(&message);
    return tag;
}

static PyObject *verify(PyObject *object, PyObject *const *arguments, Py_ssize_t given, PyObject *keywords) {
    static const struct kp_parameters parameters = {"verify", 3, 3, 3, {"nonce", "data", "tag"}};
    const struct kp_key_object *self = (struct kp_key_object *)object;
    PyObject *bound[KP_MOST_PARAMETERS];
    struct message message;
    struct kp_span tag;
    Py_buffer tag_view;
    arguments = kp_bind(&parameters, arguments, given, keywords, bound);
    if (arguments == NULL || !take_message(self, arguments[0], arguments[1], &message))
        return NULL;
    PyObject *result = NULL;
    if (kp_take(arguments[2], (struct kp_label){"tag", -1}, KP_READ, &tag, &tag_view)) {
        kp_status status = KP_INVALID_TAG;
        if (tag.length == (size_t)self->tag_length) {
            PyThreadState *state = kp_begin_work(message.associated.span.length, KP_AES_GCM_BYTES_WITH_GIL);
            status = kp_open(self, message.nonce, &message.associated, (struct kp_span){NULL, 0}, NULL, tag.data);
            kp_end_work(state);
        }
        kp_drop(&tag_view);
        if (status == KP_OK) {
            Py_INCREF(Py_None);
            result = Py_None;
        } else {
            kp_raise(status);
        }
    }
    drop_message(&message);
    return result;
}

static PyMethodDef methods[] = {
    KP_FAST("sign", sign,
            "sign($self, nonce, data)\n--\n\n"
            "Return the tag of `data`. Raises ValueError for a nonce of the wrong length."),
    KP_FAST("verify", verify,
            "verify($self, nonce, data, tag)\n--\n\n"
            "Return if the tag is that of `data`; raise InvalidTag otherwise."),
    KP_FAST("sign_many", kp_sign_many,
            "sign_many($self, nonces, messages)\n--\n\n"
            "Return a list of the tags of many messages, in order, each under its nonce.\n\n"
            "Raises ValueError if they are not equally many or a nonce has the wrong length."),
    {NULL, NULL, 0, NULL},
};

static PyObject *new_object(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
    return kp_key_object_new(type, "O|$OpO:GMAC", arguments, keywords);
}

static PyType_Slot slots[] = {
    {Py_tp_new, (void *)new_object},
    {Py_tp_dealloc, (void *)kp_key_object_free},
    {Py_tp_methods, methods},
    {Py_tp_getset, kp_key_object_attributes},
    {0, NULL},
};

PyType_Spec kp_gmac_spec = {
    .name = "kernport._fast.GMAC",
    .basicsize = sizeof(struct kp_key_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = slots,
};
