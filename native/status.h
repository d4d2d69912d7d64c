/* What the dispatcher answers, as a status of the public interface. */
#ifndef KP_STATUS_H
#define KP_STATUS_H

#include "dispatch/dispatch.h"
#include "kernport.h"

kp_status kp_status_of_selection(enum kp_selection selection);

/* The kernel to use: the named one, or the dispatcher's choice for NULL. */
static inline kp_status kp_choose(enum kp_family_id family, const char *name, const struct kp_kernel **kernel) {
    return kp_status_of_selection(kp_dispatch(family, name, kernel));
}

#endif
