/* What the administrator took away: a configuration file, then the environment.
 *
 * Nothing in here can add: an override is a set of bits that select.c clears. The environment
 * counts for nothing in a program that runs with more rights than its caller (setuid, file
 * capabilities). A name that means nothing here is remarked upon and otherwise ignored; a
 * configuration that cannot be trusted or understood is refused as a whole.
 *
 * The file has lines `disable = FEATURE…` and `disable-kernel = FAMILY/KERNEL…`, names separated
 * by commas or spaces; `#` begins a comment. */
#if defined(__linux__)
#define _DEFAULT_SOURCE
#endif
#include "dispatch/dispatch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/auxv.h>
#endif

#define MOST_CONFIGURATION_BYTES 16384

__attribute__((format(printf, 2, 3))) static void remark(struct kp_overrides *overrides, const char *format, ...) {
    if (overrides->remark_count == KP_MOST_REMARKS) {
        return;
    }
    va_list values;
    va_start(values, format);
    vsnprintf(overrides->remarks[overrides->remark_count++], KP_REMARK_BYTES, format, values);
    va_end(values);
}

static bool has_more_rights_than_its_caller(void) {
#if defined(__linux__)
    return getauxval(AT_SECURE) != 0;
#elif defined(__FreeBSD__) || defined(__OpenBSD__) || defined(__NetBSD__) || defined(__APPLE__)
    return issetugid() != 0;
#else
    return true; /* nobody can tell: do not trust the environment */
#endif
}

static bool is(const char *name, const char *word, size_t length) {
    return strlen(name) == length && memcmp(name, word, length) == 0;
}

static void disable_feature(struct kp_overrides *overrides, const char *source, const char *word, size_t length) {
    for (size_t i = 0; kp_features[i].name != NULL; i++) {
        if (is(kp_features[i].name, word, length)) {
            overrides->features |= (kp_feature_set)1 << i;
            return;
        }
    }
    remark(overrides, "%s: '%.*s' is no feature of %s", source, (int)(length < 64 ? length : 64), word,
           KP_TREE_ARCHITECTURE);
}

static void disable_kernel(struct kp_overrides *overrides, const char *source, const char *word, size_t length) {
    for (unsigned family = 0; family < KP_FAMILY_COUNT; family++) {
        size_t stem = strlen(kp_families[family].name);
        if (length <= stem || word[stem] != '/' || !is(kp_families[family].name, word, stem)) {
            continue;
        }
        for (size_t i = 0; i < kp_families[family].count; i++) {
            if (!is(kp_families[family].kernels[i].name, word + stem + 1, length - stem - 1)) {
                continue;
            }
            if (i == kp_families[family].count - 1) {
                remark(overrides, "%s: %s/%s is what remains when all else is disabled, and stays", source,
                       kp_families[family].name, kp_families[family].kernels[i].name);
            } else {
                overrides->kernels[family] |= (uint64_t)1 << i;
            }
            return;
        }
    }
    remark(overrides, "%s: '%.*s' is no kernel of this build for %s", source, (int)(length < 64 ? length : 64), word,
           KP_TREE_ARCHITECTURE);
}

typedef void disable_one(struct kp_overrides *overrides, const char *source, const char *word, size_t length);

static void disable_each(struct kp_overrides *overrides, const char *source, const char *list, disable_one *disable) {
    static const char separators[] = ", \t";
    for (list += strspn(list, separators); *list != '\0'; list += strspn(list, separators)) {
        size_t length = strcspn(list, separators);
        disable(overrides, source, list, length);
        list += length;
    }
}

/* Takes one line, ended by NUL, without its newline. False if it is malformed. */
static bool take_line(struct kp_overrides *overrides, const char *source, char *line) {
    line[strcspn(line, "#")] = '\0';
    line += strspn(line, " \t\r");
    if (*line == '\0') {
        return true;
    }
    size_t length = strcspn(line, " \t=");
    char *value = line + length + strspn(line + length, " \t");
    if (*value != '=') {
        return false;
    }
    value[1 + strcspn(value + 1, "\r")] = '\0';
    if (is("disable", line, length)) {
        disable_each(overrides, source, value + 1, disable_feature);
    } else if (is("disable-kernel", line, length)) {
        disable_each(overrides, source, value + 1, disable_kernel);
    } else {
        return false;
    }
    return true;
}

/* Takes the whole text or, if any line is malformed, none of it. */
static void take_configuration(struct kp_overrides *overrides, const char *path, char *text) {
    struct kp_overrides taken = *overrides;
    unsigned number = 1;
    for (char *line = text; line != NULL; number++) {
        char *end = strchr(line, '\n');
        if (end != NULL) {
            *end++ = '\0';
        }
        if (!take_line(&taken, path, line)) {
            remark(overrides,
                   "%s:%u: refused as a whole: expected 'disable = FEATURE…' or 'disable-kernel = FAMILY/KERNEL…'",
                   path, number);
            return;
        }
        line = end;
    }
    *overrides = taken;
}

static void read_configuration(struct kp_overrides *overrides, const char *path) {
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (file < 0) {
        if (errno != ENOENT && errno != ENOTDIR) {
            remark(overrides, "%s: not read: %s", path, strerror(errno));
        }
        return;
    }
    struct stat status;
    char *text = NULL;
    if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
        remark(overrides, "%s: refused: not a regular file", path);
    } else if ((status.st_mode & S_IWOTH) != 0) {
        remark(overrides, "%s: refused: everybody may write to it; chmod o-w", path);
    } else if (status.st_size > MOST_CONFIGURATION_BYTES) {
        remark(overrides, "%s: refused: larger than %d bytes", path, MOST_CONFIGURATION_BYTES);
    } else if ((text = malloc(MOST_CONFIGURATION_BYTES + 1)) != NULL) {
        size_t length = 0;
        ssize_t got;
        while (length < MOST_CONFIGURATION_BYTES &&
               (got = read(file, text + length, MOST_CONFIGURATION_BYTES - length)) > 0) {
            length += (size_t)got;
        }
        text[length] = '\0';
        if (strlen(text) != length) {
            remark(overrides, "%s: refused: not a text file", path);
        } else {
            take_configuration(overrides, path, text);
        }
    }
    free(text);
    close(file);
}

void kp_read_overrides(struct kp_overrides *overrides) {
    read_configuration(overrides, KP_SYSCONFDIR "/" KP_TREE_NAME "/dispatch.conf");
    if (has_more_rights_than_its_caller()) {
        return;
    }
    const char *features = getenv(KP_DISABLE_VARIABLE);
    if (features != NULL) {
        disable_each(overrides, KP_DISABLE_VARIABLE, features, disable_feature);
    }
    const char *kernels = getenv(KP_DISABLE_KERNEL_VARIABLE);
    if (kernels != NULL) {
        disable_each(overrides, KP_DISABLE_KERNEL_VARIABLE, kernels, disable_kernel);
    }
}
