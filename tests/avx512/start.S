/* From the boot loader's 32-bit mode (Multiboot specification 0.6.96) to 64-bit C with every vector register switched on.
 *
 * The first GiB of memory is mapped to itself in pages of 2 MiB; program.c maps some of it more finely.
 */
.intel_syntax noprefix

#define MAGIC 0x1badb002
#define FLAGS 0x00010003 /* page-aligned, memory sizes, addresses as given here */

.section .start, "ax"
.code32
.p2align 2
header:
.long MAGIC, FLAGS, -(MAGIC + FLAGS)
.long header, header, data_end, bss_end, start

.globl start
start:
cli
mov esp, offset stack_top
mov dword ptr [map_level_4], offset map_level_3 + 3
mov dword ptr [map_level_3], offset map_level_2 + 3
mov edi, offset map_level_2
mov eax, 0x83 /* present, writable, large */
mov ecx, 512
1:
mov [edi], eax
add eax, 0x200000
add edi, 8
dec ecx
jnz 1b
mov eax, offset map_level_4
mov cr3, eax
mov eax, cr4
or eax, 0x40620 /* PAE, OSFXSR, OSXMMEXCPT, OSXSAVE */
mov cr4, eax
mov ecx, 0xc0000080 /* EFER */
rdmsr
or eax, 0x100 /* LME */
wrmsr
mov eax, cr0
and eax, ~4 /* EM */
or eax, 0x80000003 /* PG, MP, PE */
mov cr0, eax
lgdt [descriptors_place]
ljmp 8, offset long_mode

.code64
long_mode:
xor eax, eax
mov ds, ax
mov es, ax
mov ss, ax
xor ecx, ecx
xor edx, edx
mov eax, 0xe7 /* x87, SSE, YMM, opmask, ZMM_Hi256, Hi16_ZMM */
xsetbv
mov rsp, offset stack_top
call main
2:
hlt
jmp 2b

.p2align 3
descriptors:
.quad 0, 0x00af9a000000ffff
descriptors_place:
.word 15
.long descriptors

.bss
.p2align 12
map_level_4:
.zero 4096
map_level_3:
.zero 4096
.globl map_level_2
map_level_2:
.zero 4096
.zero 0x20000
stack_top:

.section .note.GNU-stack, "", @progbits
