/* Many messages in one call: all inputs are taken first and all results made, then the work is done with the GIL given
 * up once. */
#include "native/extension/many.h"

#include "native/extension/key.h"

struct message {
    struct kp_span nonce, text;
    struct kp_associated associated;
    uint8_t *out;
    kp_status status;
};

struct batch {
    const struct kp_key_object *self;
    Py_ssize_t count;
    size_t bytes;
    struct message *messages;
    PyObject *nonces, *texts, *aads; /* tuples, which keep the inputs; NULL where there are none */
    struct kp_views *views;
    PyObject *results; /* a list of bytes */
};

static void end_batch(struct batch *batch) {
    kp_drop_all(batch->views);
    Py_XDECREF(batch->nonces);
    Py_XDECREF(batch->texts);
    Py_XDECREF(batch->aads);
    PyMem_Free(batch->messages);
}

static bool take_sequences(struct batch *batch, PyObject *nonces, PyObject *texts, PyObject *aads) {
    Py_ssize_t count, aad_count;
    batch->nonces = kp_as_tuple(nonces, "nonces", &batch->count);
    batch->texts = batch->nonces == NULL ? NULL : kp_as_tuple(texts, "messages", &count);
    if (batch->texts == NULL)
        return false;
    aad_count = batch->count;
    if (aads != NULL && aads != Py_None) {
        batch->aads = kp_as_tuple(aads, "aads", &aad_count);
        if (batch->aads == NULL)
            return false;
    }
    if (count == batch->count && aad_count == batch->count)
        return true;
    if (batch->aads == NULL)
        PyErr_Format(PyExc_ValueError, "each message needs a nonce: there are %zd nonces and %zd messages",
                     batch->count, count);
    else
        PyErr_Format(PyExc_ValueError,
                     "each message needs a nonce and associated data or None: there are %zd nonces, %zd messages and "
                     "%zd aads",
                     batch->count, count, aad_count);
    return false;
}

static bool take_message(struct batch *batch, Py_ssize_t at) {
    struct message *message = &batch->messages[at];
    if (!kp_take_among(PyTuple_GetItem(batch->nonces, at), (struct kp_label){"nonces", at}, &message->nonce,
                       &batch->views) ||
        !kp_take_among(PyTuple_GetItem(batch->texts, at), (struct kp_label){"messages", at}, &message->text,
                       &batch->views) ||
        !kp_check_nonce(batch->self, message->nonce.length, at))
        return false;
    if (batch->aads != NULL && !kp_take_associated(PyTuple_GetItem(batch->aads, at), (struct kp_label){"aads", at},
                                                   &message->associated, &batch->views))
        return false;
    batch->bytes += message->text.length + kp_associated_length(&message->associated);
    return true;
}

/* Takes all inputs; end_batch() is the caller's either way. */
static bool begin_batch(struct batch *batch, PyObject *self, PyObject *const *arguments) {
    *batch = (struct batch){.self = (struct kp_key_object *)self};
    if (!take_sequences(batch, arguments[0], arguments[1], arguments[2]))
        return false;
    batch->messages = PyMem_Calloc((size_t)batch->count, sizeof batch->messages[0]);
    if (batch->messages == NULL) {
        PyErr_NoMemory();
        return false;
    }
    for (Py_ssize_t i = 0; i < batch->count; i++) {
        if (!take_message(batch, i))
            return false;
    }
    return true;
}

/* What is done with each message of a batch: first, with the GIL, how many bytes its result has; then the work. */
struct operation {
    size_t (*begin)(const struct kp_key_object *self, struct message *message);
    kp_status (*work)(const struct kp_key_object *self, const struct message *message);
};

static bool make_results(struct batch *batch, const struct operation *operation) {
    batch->results = PyList_New(batch->count);
    bool ready = batch->results != NULL;
    for (Py_ssize_t i = 0; ready && i < batch->count; i++) {
        struct message *message = &batch->messages[i];
        PyObject *bytes = kp_new_bytes(operation->begin(batch->self, message), 0, &message->out);
        ready = bytes != NULL && PyList_SetItem(batch->results, i, bytes) == 0;
    }
    return ready;
}

/* The results, or the error that a message met other than a wrong tag. */
static PyObject *results_or_error(struct batch *batch) {
    for (Py_ssize_t i = 0; i < batch->count; i++) {
        const kp_status status = batch->messages[i].status;
        if (status != KP_OK && status != KP_INVALID_TAG) {
            Py_DECREF(batch->results);
            return kp_raise(status);
        }
    }
    return batch->results;
}

/* Raises InvalidTags(indices, texts), where the texts of messages with a wrong tag are None; takes over the results. */
static PyObject *raise_invalid_tags(struct batch *batch, Py_ssize_t wrong) {
    PyObject *indices = PyTuple_New(wrong);
    for (Py_ssize_t i = 0, at = 0; indices != NULL && i < batch->count; i++) {
        if (batch->messages[i].status == KP_OK)
            continue;
        Py_INCREF(Py_None);
        PyList_SetItem(batch->results, i, Py_None);
        PyTuple_SetItem(indices, at++, PyLong_FromSsize_t(i));
    }
    PyObject *type = indices == NULL ? NULL : kp_error_type("InvalidTags");
    PyObject *error = type == NULL ? NULL : PyObject_CallFunctionObjArgs(type, indices, batch->results, NULL);
    if (error != NULL)
        PyErr_SetObject(type, error);
    Py_XDECREF(error);
    Py_XDECREF(type);
    Py_XDECREF(indices);
    Py_DECREF(batch->results);
    return NULL;
}

static PyObject *work_through(const struct operation *operation, PyObject *self, PyObject *const *arguments) {
    struct batch batch;
    if (begin_batch(&batch, self, arguments) && make_results(&batch, operation)) {
        Py_ssize_t wrong = 0;
        PyThreadState *state = kp_begin_work(batch.bytes, KP_AES_GCM_BYTES_WITH_GIL);
        for (Py_ssize_t i = 0; i < batch.count; i++) {
            struct message *message = &batch.messages[i];
            if (message->status == KP_OK)
                message->status = operation->work(batch.self, message);
            wrong += message->status == KP_INVALID_TAG;
        }
        kp_end_work(state);
        batch.results = results_or_error(&batch);
        if (batch.results != NULL && wrong != 0)
            batch.results = raise_invalid_tags(&batch, wrong);
    } else {
        Py_XDECREF(batch.results);
        batch.results = NULL;
    }
    end_batch(&batch);
    return batch.results;
}

static size_t begin_seal(const struct kp_key_object *self, struct message *message) {
    return message->text.length + (size_t)self->tag_length;
}

static kp_status work_seal(const struct kp_key_object *self, const struct message *message) {
    return kp_seal(self, message->nonce, &message->associated, message->text, message->out,
                   message->out + message->text.length);
}

PyObject *kp_encrypt_many(PyObject *self, PyObject *const *arguments, Py_ssize_t given, PyObject *keywords) {
    static const struct kp_parameters parameters = {"encrypt_many", 3, 2, 3, {"nonces", "messages", "aads"}};
    static const struct operation operation = {begin_seal, work_seal};
    PyObject *bound[KP_MOST_PARAMETERS];
    arguments = kp_bind(&parameters, arguments, given, keywords, bound);
    return arguments == NULL ? NULL : work_through(&operation, self, arguments);
}

static size_t begin_open(const struct kp_key_object *self, struct message *message) {
    const size_t tag_length = (size_t)self->tag_length;
    /* What is shorter than a tag has no right one. */
    message->status = message->text.length < tag_length ? KP_INVALID_TAG : KP_OK;
    message->text.length -= message->status == KP_OK ? tag_length : message->text.length;
    return message->text.length;
}

static kp_status work_open(const struct kp_key_object *self, const struct message *message) {
    return kp_open(self, message->nonce, &message->associated, message->text, message->out,
                   message->text.data + message->text.length);
}

PyObject *kp_decrypt_many(PyObject *self, PyObject *const *arguments, Py_ssize_t given, PyObject *keywords) {
    static const struct kp_parameters parameters = {"decrypt_many", 3, 2, 3, {"nonces", "messages", "aads"}};
    static const struct operation operation = {begin_open, work_open};
    PyObject *bound[KP_MOST_PARAMETERS];
    arguments = kp_bind(&parameters, arguments, given, keywords, bound);
    return arguments == NULL ? NULL : work_through(&operation, self, arguments);
}

static size_t begin_sign(const struct kp_key_object *self, struct message *message) {
    (void)message;
    return (size_t)self->tag_length;
}

static kp_status work_sign(const struct kp_key_object *self, const struct message *message) {
    const struct kp_associated signed_data = {message->text, NULL};
    return kp_seal(self, message->nonce, &signed_data, (struct kp_span){NULL, 0}, NULL, message->out);
}

PyObject *kp_sign_many(PyObject *self, PyObject *const *arguments, Py_ssize_t given, PyObject *keywords) {
    static const struct kp_parameters parameters = {"sign_many", 2, 2, 2, {"nonces", "messages"}};
    static const struct operation operation = {begin_sign, work_sign};
    PyObject *bound[KP_MOST_PARAMETERS], *three[3] = {NULL, NULL, NULL};
    arguments = kp_bind(&parameters, arguments, given, keywords, bound);
    if (arguments == NULL)
        return NULL;
    three[0] = arguments[0];
    three[1] = arguments[1];
    return work_through(&operation, self, three);
}
