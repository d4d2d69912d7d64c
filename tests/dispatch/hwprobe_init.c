/* The first program of a RISC-V Linux: what the dispatcher finds there plainly, under a seccomp filter that refuses
 * riscv_hwprobe, and with vectors forbidden. Prints a line "== NAME" before each account and "== end" at last, and
 * switches the machine off. */
#define _GNU_SOURCE /* syscall() */
#include <kernport.h>

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/reboot.h>
#include <sys/wait.h>
#include <unistd.h>

#define HWPROBE_CALL 258
#define VECTOR_SET_CONTROL 69    /* PR_RISCV_V_SET_CONTROL */
#define VECTOR_OFF_AFTER_EXEC 4L /* PR_RISCV_V_VSTATE_CTRL_OFF, shifted to the next program's place */

static void refuse_hwprobe(void) {
    struct sock_filter rules[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, HWPROBE_CALL, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = {sizeof rules / sizeof *rules, rules};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0 ||
        syscall(HWPROBE_CALL, NULL, 0, 0, NULL, 0) != -1 || errno != EPERM) {
        puts("no filter");
        _exit(1);
    }
}

static void forbid_vectors(void) {
    if (prctl(VECTOR_SET_CONTROL, VECTOR_OFF_AFTER_EXEC, 0, 0, 0) != 0) {
        puts("no control of vectors");
        _exit(1);
    }
}

static void account(char *self, const char *name, void (*prepare)(void)) {
    static char report[] = "report";
    char *arguments[] = {self, report, NULL};
    int status = 0;
    printf("== %s\n", name);
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        if (prepare != NULL)
            prepare();
        execv(self, arguments);
        _exit(2);
    }
    waitpid(child, &status, 0);
    printf("status %d\n", status);
}

int main(int count, char **arguments) {
    if (count == 2 && strcmp(arguments[1], "report") == 0) {
        const size_t length = kp_dispatch_report(NULL, 0);
        char *text = malloc(length + 1);
        kp_dispatch_report(text, length + 1);
        fputs(text, stdout);
        return 0;
    }
    account(arguments[0], "plain", NULL);
    account(arguments[0], "refused", refuse_hwprobe);
    account(arguments[0], "forbidden", forbid_vectors);
    puts("== end");
    fflush(stdout);
    sync();
    reboot(RB_POWER_OFF);
    return 1;
}
