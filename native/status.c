/* Statuses in words, and those that stand for what the dispatcher answers. */
#include "native/status.h"

const char *kp_status_text(kp_status status) {
    switch (status) {
    case KP_OK:
        return "done";
    case KP_BAD_KEY_LENGTH:
        return "an AES key has 16, 24 or 32 bytes";
    case KP_BAD_IV_LENGTH:
        return "an IV has 1 to 2^61 - 1 bytes";
    case KP_BAD_TAG_LENGTH:
        return "a tag has 4, 8 or 12 to 16 bytes";
    case KP_TOO_LONG:
        return "GCM allows 2^36 - 32 bytes of text and 2^61 - 1 bytes of additional data";
    case KP_OVERLAP:
        return "input and output overlap: pass the same buffer or separate ones";
    case KP_INVALID_TAG:
        return "the tag does not match: the message, its associated data, the nonce or the key is another than it was "
               "made with";
    case KP_OUT_OF_ORDER:
        return "a stream takes all additional data, then all text, then tag (encrypting) or verify (decrypting)";
    case KP_NO_MEMORY:
        return "no memory left";
    case KP_UNKNOWN_KERNEL:
        return "this build has no kernel of that name in the family: kernport show lists them";
    case KP_UNAVAILABLE_KERNEL:
        return "that kernel may not run on this host: kernport show tells why";
    case KP_NO_KERNEL:
        return "no kernel of the family passed its self-test on this host";
    }
    return "unknown status";
}

kp_status kp_status_of_selection(enum kp_selection selection) {
    switch (selection) {
    case KP_SELECTED:
        return KP_OK;
    case KP_UNKNOWN_NAME:
        return KP_UNKNOWN_KERNEL;
    case KP_MAY_NOT_RUN:
        return KP_UNAVAILABLE_KERNEL;
    case KP_NONE_PASSED:
        break;
    }
    return KP_NO_KERNEL;
}
