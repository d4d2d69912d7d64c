/* GHASH on vpmsumd: the entries of the kernels of POWER, one for each KP_ISA.
 *
 * Before it is included KP_ISA says which instructions may be used (207 or 300) and KERNEL(entry)
 * names the symbols. Idea, source and registers: asm/power_ghash.h.
 */
#define GHASH_TABLE 0
#include "../../asm/power_ghash.h"

    GHASH_ROUTINE KERNEL(hash_any), KERNEL(update_loop_begin), KERNEL(update_loop_end)

    KP_BEGIN KERNEL(prepare)
    ENTER
    SET_OFFSETS
    SWAP_MASK
    LOAD_BYTES 9, 0, 4
    GHASH_PREPARE
    LEAVE
    KP_END KERNEL(prepare)

    KP_BEGIN KERNEL(update)
    GHASH_ENTRY KERNEL(hash_any)
    KP_END KERNEL(update)
