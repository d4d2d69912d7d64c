/* What the dispatcher says of the machine that this runs on: all of it, or, with an argument FAMILY/KERNEL, the line of
 * that kernel. Exit code 1: there is no such kernel. */
#include "dispatch/dispatch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int count, char **arguments) {
    const size_t length = kp_dispatch_report(NULL, 0);
    char *text = malloc(length + 1);
    if (text == NULL)
        return 3;
    kp_dispatch_report(text, length + 1);
    if (count == 1) {
        fputs(text, stdout);
        return 0;
    }
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        const char *name = line + strlen("kernel ");
        const size_t name_length = strlen(arguments[1]);
        if (strncmp(line, "kernel ", strlen("kernel ")) == 0 && strncmp(name, arguments[1], name_length) == 0 &&
            name[name_length] == ' ') {
            puts(line);
            return 0;
        }
    }
    return 1;
}
