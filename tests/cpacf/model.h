/* A model of CPACF's AES and GHASH functions for processors and emulators that lack them.
 *
 * A function that an instruction does not know traps. The model then reads the instruction's own bytes and the
 * registers, does what z/Architecture Principles of Operation (SA22-7832, chapter 7) says about the operands, moves
 * address and length registers on, sets the condition code and goes on behind the instruction. So the kernels run as
 * they were compiled, all but the one instruction. As the architecture allows, it often stops early with condition
 * code 3. What breaks a rule of the architecture ends the program with a sentence. */
#ifndef CPACF_MODEL_H
#define CPACF_MODEL_H

/* Takes over from the processor whatever it does not know. */
void model_install(void);

/* How many instructions the model has executed instead of the processor. */
unsigned long model_count(void);

#endif
