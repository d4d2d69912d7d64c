/* MD5 of many messages, and of many files, in one call. */
#include "native/extension/arguments.h"
#include "native/extension/batch.h"
#include "native/extension/fast.h"
#include "native/extension/files.h"

#define DIGEST_BYTES 16

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
    if (!kp_bind_by_name(&parameters, arguments, given, keywords, bound) || !kp_take_kernel(bound[1], &kernel))
        return NULL;
    PyObject *buffers = kp_as_tuple(bound[0], "buffers", &count);
    if (buffers == NULL)
        return NULL;
    struct kp_views *views = NULL;
    PyObject *result = NULL;
    struct kp_batch_message *messages = PyMem_Calloc((size_t)count, sizeof *messages);
    uint8_t *digests = PyMem_Calloc((size_t)count, DIGEST_BYTES);
    if (messages == NULL || digests == NULL) {
        PyErr_NoMemory();
        goto end;
    }
    size_t total = 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        struct kp_span span;
        if (!kp_take_among(PyTuple_GetItem(buffers, i), (struct kp_label){"buffers", i}, &span, &views))
            goto end;
        messages[i] = (struct kp_batch_message){span.data, span.length, digests + DIGEST_BYTES * i};
        total += span.length;
    }
    PyThreadState *state = kp_begin_work(total, KP_MD5_BYTES_WITH_GIL);
    const kp_status status = kp_md5_batch(messages, (size_t)count, kernel);
    kp_end_work(state);
    result = status == KP_OK ? list_of_digests(digests, count) : kp_raise(status);
end:
    PyMem_Free(digests);
    PyMem_Free(messages);
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
    if (files != NULL && (threads < 1 || shared.length != 3 * sizeof(unsigned long)))
        PyErr_Format(PyExc_ValueError, "threads must be 1 or more, and progress an array of three unsigned longs");
    for (Py_ssize_t i = 0; files != NULL && PyErr_Occurred() == NULL && i < count; i++)
        files[i].path = PyBytes_AsString(PyTuple_GetItem(paths, i));
    if (files != NULL && PyErr_Occurred() == NULL) {
        PyThreadState *state = PyEval_SaveThread();
        const kp_status status =
            kp_md5_files(files, (size_t)count, (size_t)threads, (unsigned long *)(void *)shared.data);
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
