/* AESGCM and GMAC objects: a key, and how nonces and tags are to be. */
#ifndef KP_KEY_H
#define KP_KEY_H

#include "native/extension/arguments.h"

struct kp_key_object {
    PyObject_HEAD;
    kp_aes_gcm_key *key;
    Py_ssize_t tag_length;
    bool any_nonce_length;
};

/* `format` is "O|$OpO:" and the name that errors give the type. */
PyObject *kp_key_object_new(PyTypeObject *type, const char *format, PyObject *arguments, PyObject *keywords);
void kp_key_object_free(PyObject *self);
extern PyGetSetDef kp_key_object_attributes[];

/* Raises ValueError unless a nonce of that length may be used. */
bool kp_check_nonce(const struct kp_key_object *self, size_t length, Py_ssize_t at);

/* As kp_aes_gcm_seal and kp_aes_gcm_open, with AAD in pieces too. */
kp_status kp_seal(const struct kp_key_object *self, struct kp_span nonce, const struct kp_associated *associated,
                  struct kp_span text, uint8_t *out, uint8_t *tag);
kp_status kp_open(const struct kp_key_object *self, struct kp_span nonce, const struct kp_associated *associated,
                  struct kp_span text, uint8_t *out, const uint8_t *tag);

#endif
