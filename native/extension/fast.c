/* kernport._fast: the calls that are worth it without cffi, in the stable ABI of Python 3.11.
 *
 * A call by cffi costs several times what sealing a short message takes. Here arguments come without a tuple, bytes
 * are read where they lie, and a result is made once and written in place.
 *
 * The limited API of 3.11 has no slot by which a module says that it needs no GIL, and free-threaded Pythons do not
 * load the stable ABI of 3.11. Built with the header of one of them, the module says so. */
#include "native/extension/fast.h"

static PyMethodDef functions[] = {
    KP_FAST("md5", kp_fast_md5,
            "md5($module, data=b'', *, usedforsecurity=True, kernel=None, string=b'')\n--\n\n"
            "Begin an MD5, as hashlib.md5 does.\n\n"
            "`usedforsecurity` is accepted and makes no difference; `string` is hashlib's other name for `data`."),
    KP_FAST("md5_files", kp_fast_md5_files,
            "md5_files($module, paths, threads, progress)\n--\n\n"
            "Hash files, whose paths are bytes; returns a list of a digest or an errno for each.\n\n"
            "`progress` is an array of three unsigned longs: files and bytes done, which are counted up meanwhile,\n"
            "and whether to stop early, which another thread may set."),
    KP_FAST("md5_many", kp_fast_md5_many,
            "md5_many($module, buffers, *, kernel=None)\n--\n\n"
            "Hash many messages at once; returns a list of their digests (16 bytes each) in order.\n\n"
            "Several messages go through the processor side by side, which is several times faster than one\n"
            "after the other. Raises TypeError or BufferError for what is not a contiguous bytes-like object."),
    {NULL, NULL, 0, NULL},
};

static int add_type(PyObject *module, const char *name, PyType_Spec *spec, PyObject **kept) {
    PyObject *type = PyType_FromModuleAndSpec(module, spec, NULL);
    const int result = type == NULL ? -1 : PyModule_AddObjectRef(module, name, type);
    if (kept != NULL)
        *kept = type;
    else
        Py_XDECREF(type);
    return result;
}

static int fill(PyObject *module) {
    struct kp_module *state = PyModule_GetState(module);
    const int failed = add_type(module, "AESGCM", &kp_aesgcm_spec, NULL) ||
                       add_type(module, "GMAC", &kp_gmac_spec, NULL) ||
                       add_type(module, "MD5", &kp_md5_spec, &state->md5_type);
    return failed ? -1 : 0;
}

static int visit_state(PyObject *module, int (*visit)(PyObject *object, void *data), void *data) {
    const struct kp_module *state = PyModule_GetState(module);
    return state != NULL && state->md5_type != NULL ? visit(state->md5_type, data) : 0;
}

static int clear_state(PyObject *module) {
    struct kp_module *state = PyModule_GetState(module);
    if (state != NULL) {
        Py_XDECREF(state->md5_type);
        state->md5_type = NULL;
    }
    return 0;
}

static void free_state(void *module) {
    clear_state(module);
}

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, (void *)fill},
#ifdef Py_GIL_DISABLED
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
    {0, NULL},
};

static PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "kernport._fast",
    .m_doc = "The hot calls of kernport without cffi.",
    .m_size = sizeof(struct kp_module),
    .m_methods = functions,
    .m_slots = slots,
    .m_traverse = visit_state,
    .m_clear = clear_state,
    .m_free = free_state,
};

PyMODINIT_FUNC PyInit__fast(void);

PyMODINIT_FUNC PyInit__fast(void) {
    return PyModuleDef_Init(&definition);
}
