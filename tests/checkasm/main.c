#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checkasm.h"

static const char usage[] =
    "usage: checkasm [--list] [--full] [--huge] [--secrets] [--seed N] [--patience N] [--json]\n"
    "                [--kernel FAMILY/NAME]\n"
    "                [[--count OFFSET] --bench-loop OPERATION BYTES COUNT]\n"
    "  --list        the kernels of this build, and what this processor lacks for each\n"
    "  --full        the long sweep\n"
    "  --huge        AAD of 2^29 bytes and more, too: too slow under an emulator\n"
    "  --secrets     constant time instead: run it under valgrind\n"
    "  --seed N      what the random choices follow from\n"
    "  --patience N  seconds of processor time that a call may take (120)\n"
    "  --json        one line of JSON a kernel\n"
    "  --kernel      only this kernel; or FAMILY for all of a family\n"
    "  --count       runs the loop instruction by instruction and prints how many there were, and how often\n"
    "                the one OFFSET bytes after main was among them\n"
    "  --bench-loop  runs one operation COUNT times and nothing else, for counting instructions;\n"
    "                needs --kernel FAMILY/NAME; without OPERATION it lists them\n"
    "Exit codes: 0 everything passed or was refused, 1 a kernel is wrong, 2 wrong use, 3 the system lacks something.\n";

struct checkasm_options options = {.seed = 1, .patience = 120};

static bool json;
static bool list;
static const char *wanted;
static bool counting;
static uintptr_t count_offset;

static bool is_wanted(const char *family, const char *kernel) {
    size_t length = strlen(family);
    if (wanted == NULL) {
        return true;
    }
    if (strncmp(wanted, family, length) != 0) {
        return false;
    }
    return wanted[length] == '\0' || (wanted[length] == '/' && strcmp(wanted + length + 1, kernel) == 0);
}

static const struct checkasm_family *checks_of(const char *name) {
    for (size_t i = 0; checkasm_families[i] != NULL; i++) {
        if (strcmp(checkasm_families[i]->name, name) == 0) {
            return checkasm_families[i];
        }
    }
    fprintf(stderr, "checkasm: no checks for the family %s: name them in tests/checkasm/families/families.c\n", name);
    exit(3);
}

/* Why the kernel cannot be run: features that this processor lacks or that are disabled. Nothing if it can. */
static void name_lacking(const struct kp_kernel *kernel, char *out, size_t room) {
    kp_feature_set lacking = kernel->requires & ~kp_this_host()->detected;
    const char *why = "missing";
    if (lacking == 0) {
        lacking = kernel->requires & ~kp_usable_features();
        why = "disabled";
    }
    size_t used = 0;
    unsigned count = 0;
    out[0] = '\0';
    for (size_t i = 0; kp_features[i].name != NULL && used < room; i++) {
        if ((lacking >> i & 1) != 0) {
            used += (size_t)snprintf(out + used, room - used, "%s%s", count++ > 0 ? ", " : "", kp_features[i].name);
        }
    }
    if (count > 0 && used < room) {
        snprintf(out + used, room - used, " %s %s", count == 1 ? "is" : "are", why);
    }
}

static void print_string(const char *text) {
    putchar('"');
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\') {
            putchar('\\');
        }
        putchar(*text);
    }
    putchar('"');
}

static void print_row(const char *family, const char *kernel, const char *state, const char *reason, uint64_t calls) {
    if (json) {
        printf("{\"family\": \"%s\", \"kernel\": \"%s\", \"state\": \"%s\", \"reason\": ", family, kernel, state);
        print_string(reason);
        printf(", \"checks\": %" PRIu64 "}\n", calls);
    } else if (reason[0] != '\0') {
        printf("%s/%s: %s: %s\n", family, kernel, state, reason);
    } else if (calls > 0) {
        printf("%s/%s: %s, %" PRIu64 " checks\n", family, kernel, state, calls);
    } else {
        printf("%s/%s: %s\n", family, kernel, state);
    }
    fflush(stdout);
}

static void check_secrets(const struct kp_kernel *kernel, const struct kp_kernel *portable) {
    const struct checkasm_family *checks = (const void *)portable;
    unsigned before = valgrind_complaints();
    checks->check_secrets(kernel);
    if (valgrind_complaints() != before) {
        operation("constant time");
        fail("a branch or an address depends on a secret: valgrind's messages above say where");
    }
}

static bool run_kernel(const struct kp_family *family, const struct kp_kernel *kernel) {
    const struct checkasm_family *checks = checks_of(family->name);
    char reason[300];
    name_lacking(kernel, reason, sizeof reason);
    if (reason[0] != '\0') {
        print_row(family->name, kernel->name, "refused", reason, 0);
        return true;
    }
    if (list) {
        print_row(family->name, kernel->name, "available", "", 0);
        return true;
    }
    checkasm_calls = 0;
    seed_random(options.seed);
    unsigned failures = 0;
    if (options.secrets) {
        failures = watch(family->name, kernel->name, check_secrets, kernel, (const void *)checks);
    } else {
        failures = watch(family->name, kernel->name, checks->check, kernel, &family->kernels[family->count - 1]);
    }
    print_row(family->name, kernel->name, failures > 0 ? "failed" : "passed", first_failure(), checkasm_calls);
    return failures == 0;
}

int main(int argc, char **argv);

static int run_loop(int count, char **words) {
    size_t family_count = 0;
    const struct kp_family *families = checkasm_kernel_table(&family_count);
    const char *name = count > 0 ? words[0] : NULL;
    for (size_t i = 0; i < family_count; i++) {
        const struct checkasm_family *checks = checks_of(families[i].name);
        if (wanted == NULL || name == NULL) {
            for (size_t j = 0; checks->operations[j] != NULL; j++) {
                printf("%s: %s\n", families[i].name, checks->operations[j]);
            }
            continue;
        }
        for (size_t j = 0; j < families[i].count; j++) {
            const struct kp_kernel *kernel = &families[i].kernels[j];
            if (!is_wanted(families[i].name, kernel->name)) {
                continue;
            }
            char reason[300];
            name_lacking(kernel, reason, sizeof reason);
            if (reason[0] != '\0') {
                fprintf(stderr, "checkasm: %s/%s cannot run here: %s\n", families[i].name, kernel->name, reason);
                return 1;
            }
            for (size_t k = 0; checks->operations[k] != NULL; k++) {
                if (count == 3 && strcmp(checks->operations[k], name) == 0) {
                    size_t bytes = (size_t)strtoull(words[1], NULL, 0);
                    uint64_t runs = strtoull(words[2], NULL, 0);
                    if (counting) {
                        return count_instructions(checks, kernel, name, bytes, runs, (uintptr_t)main + count_offset);
                    }
                    checks->loop(kernel, name, bytes, runs);
                    return 0;
                }
            }
        }
    }
    if (name == NULL || wanted == NULL) {
        return 0;
    }
    fprintf(stderr, "checkasm: no kernel %s with an operation '%s', or no BYTES and COUNT\n%s", wanted, name, usage);
    return 2;
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--list") == 0) {
            list = true;
        } else if (strcmp(argv[i], "--full") == 0) {
            options.full = true;
        } else if (strcmp(argv[i], "--huge") == 0) {
            options.huge = true;
        } else if (strcmp(argv[i], "--secrets") == 0) {
            options.secrets = true;
        } else if (strcmp(argv[i], "--json") == 0) {
            json = true;
        } else if (strcmp(argv[i], "--kernel") == 0 && i + 1 < argc) {
            wanted = argv[++i];
        } else if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc) {
            options.seed = strtoull(argv[++i], NULL, 0);
        } else if (strcmp(argv[i], "--patience") == 0 && i + 1 < argc) {
            options.patience = (unsigned)strtoul(argv[++i], NULL, 0);
        } else if (strcmp(argv[i], "--count") == 0 && i + 1 < argc) {
            counting = true;
            count_offset = (uintptr_t)strtoll(argv[++i], NULL, 0);
        } else if (strcmp(argv[i], "--bench-loop") == 0) {
            return run_loop(argc - i - 1, argv + i + 1);
        } else {
            fprintf(stderr, "checkasm: cannot understand %s\n%s", argv[i], usage);
            return 2;
        }
    }
    if (options.secrets && !under_valgrind()) {
        fputs("checkasm: --secrets needs valgrind: build with valgrind's headers and run "
              "`valgrind --error-exitcode=0 checkasm --secrets`\n",
              stderr);
        return 3;
    }
    size_t family_count = 0;
    const struct kp_family *families = checkasm_kernel_table(&family_count);
    bool good = true;
    bool any = false;
    prepare_calls();
    catch_signals();
    for (size_t i = 0; i < family_count; i++) {
        for (size_t j = 0; j < families[i].count; j++) {
            if (is_wanted(families[i].name, families[i].kernels[j].name)) {
                any = true;
                good = run_kernel(&families[i], &families[i].kernels[j]) && good;
            }
        }
    }
    if (!any) {
        fprintf(stderr, "checkasm: no kernel %s in this build: --list names them\n", wanted);
        return 2;
    }
    return good ? 0 : 1;
}
