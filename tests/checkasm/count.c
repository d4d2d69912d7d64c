/* Instructions that the processor itself executes: for kernels that no emulator runs. */
#include <inttypes.h>
#include <stdio.h>

#include "checkasm.h"

#if defined(__linux__) && defined(__x86_64__)
#include <signal.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

int count_instructions(const struct checkasm_family *checks, const struct kp_kernel *kernel, const char *name,
                       size_t bytes, uint64_t runs, uintptr_t address) {
    uint64_t instructions = 0;
    uint64_t hits = 0;
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0) {
            raise(SIGSTOP);
            checks->loop(kernel, name, bytes, runs);
            _exit(0);
        }
        _exit(3);
    }
    if (child < 0 || waitpid(child, &status, 0) < 0 || !WIFSTOPPED(status)) {
        fputs("checkasm: the system does not let a program trace another (ptrace)\n", stderr);
        return 3;
    }
    while (WIFSTOPPED(status)) {
        struct user_regs_struct registers;
        if (ptrace(PTRACE_GETREGS, child, NULL, &registers) == 0 && registers.rip == address) {
            hits++;
        }
        instructions++;
        if (ptrace(PTRACE_SINGLESTEP, child, NULL, NULL) < 0 || waitpid(child, &status, 0) < 0) {
            perror("checkasm: ptrace");
            return 3;
        }
    }
    printf("%" PRIu64 " %" PRIu64 "\n", instructions, hits);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : 3;
}
#else
int count_instructions(const struct checkasm_family *checks, const struct kp_kernel *kernel, const char *name,
                       size_t bytes, uint64_t runs, uintptr_t address) {
    (void)checks;
    (void)kernel;
    (void)name;
    (void)bytes;
    (void)runs;
    (void)address;
    fputs("checkasm: --count is for Linux on x86-64; elsewhere count the lines of qemu's log\n", stderr);
    return 3;
}
#endif
