"""The audit knows which instruction needs which feature: each is refused where nothing requires it."""

from pathlib import Path

import planted
import pytest

X86, POWER, ARM, RISCV = (
    "x86_64-linux-musl",
    "powerpc64-linux-musl",
    "aarch64-linux-musl",
    "riscv64-linux-musl",
)
S390X, POWER_LE = "s390x-linux-musl", "powerpc64le-linux-musl"
# target, instruction, a function that may use it, a function that may not, what that one lacks
PLANTED = [
    (X86, "vpaddd %zmm1, %zmm2, %zmm3", "kp_md5_many_avx512_compress", "kp_md5_portable_compress", "avx512f"),
    (
        X86,
        "vpxord %zmm1, %zmm2, %zmm3",
        "kp_aes_gcm_vaes_avx512_encrypt",
        "kp_aes_gcm_vaes_avx2_encrypt",
        "avx512f",
    ),
    (
        X86,
        "vpxord %ymm1, %ymm2, %ymm17",
        "kp_md5_avx512vl_compress",
        "kp_aes_gcm_vaes_avx2_encrypt",
        "avx512f",
    ),
    (
        X86,
        "vaesenc %ymm1, %ymm2, %ymm3",
        "kp_aes_gcm_vaes_avx2_encrypt",
        "kp_aes_gcm_aesni_pclmul_hash",
        "vaes",
    ),
    (X86, "aesenc %xmm1, %xmm2", "kp_aes_gcm_aesni_pclmul_hash", "kp_ghash_pclmul_update", "aes"),
    (X86, "pclmulqdq $17, %xmm1, %xmm2", "kp_ghash_pclmul_update", "kp_ghash_portable_update", "pclmulqdq"),
    (X86, "pshufb %xmm1, %xmm2", "kp_ghash_pclmul_update", "helper", "ssse3"),
    (X86, "vpaddd %ymm1, %ymm2, %ymm3", "kp_ghash_vpclmulqdq_avx2_update", "helper", "avx2"),
    (X86, "vzeroupper", "kp_ghash_vpclmulqdq_avx2_update", "helper", "avx"),
    (
        X86,
        "vshufi64x2 $0, %zmm1, %zmm2, %zmm3",
        "kp_md5_avx512vl_compress",
        "kp_md5_portable_compress",
        "avx512f",
    ),
    (
        X86,
        "vinserti64x2 $1, %xmm1, %zmm2, %zmm3",
        "kp_ghash_vpclmulqdq_avx512_update",
        "kp_md5_avx512vl_compress",
        "avx512dq",
    ),
    (X86, "crc32q %rax, %rcx", "", "kp_ghash_pclmul_update", "sse4.2"),
    (X86, "rorxl $7, %eax, %ebx", "", "kp_md5_x86_64_compress", "bmi2"),
    (X86, "sha256rnds2 %xmm0, %xmm1, %xmm2", "", "helper", "sha"),
    (X86, "paddd %xmm1, %xmm2", "helper", "", ""),
    (POWER, "vcipher 1, 2, 3", "kp_aes_gcm_power8_crypto_encrypt", "kp_md5_many_vsx_compress", "vcrypto"),
    (POWER, "vpmsumd 1, 2, 3", "kp_ghash_power8_crypto_update", "kp_ghash_portable_update", "vcrypto"),
    (POWER, "lxvb16x 1, 2, 3", "kp_ghash_power9_crypto_update", "kp_ghash_power8_crypto_update", "arch-3.00"),
    (POWER, "xxeval 1, 2, 3, 4, 5", "", "kp_ghash_power9_crypto_update", "arch-3.1"),
    (POWER, "lxvw4x 1, 2, 3", "kp_md5_many_vsx_compress", "kp_md5_power_compress", "vsx"),
    (POWER, "vadduwm 1, 2, 3", "kp_md5_many_vsx_compress", "helper", "altivec"),
    (POWER, "ldbrx 1, 2, 3", "kp_md5_many_vsx_compress", "kp_md5_power_compress", "arch-2.06 or vsx"),
    (POWER_LE, "lxvd2x 1, 2, 3", "helper", "", ""),
    (POWER_LE, "vcipher 1, 2, 3", "kp_aes_gcm_power9_crypto_hash", "helper", "vcrypto"),
    (ARM, "aese v1.16b, v2.16b", "kp_aes_gcm_armv8_crypto_encrypt", "kp_ghash_pmull_update", "aes"),
    (ARM, "pmull2 v1.1q, v2.2d, v3.2d", "kp_ghash_pmull_update", "kp_md5_many_neon_compress", "pmull"),
    (
        ARM,
        "eor3 v1.16b, v2.16b, v3.16b, v4.16b",
        "kp_ghash_pmull_eor3_update",
        "kp_ghash_pmull_update",
        "sha3",
    ),
    (ARM, "crc32cx w0, w1, x2", "", "kp_ghash_pmull_update", "crc32"),
    (ARM, "add z1.d, z2.d, z3.d", "", "helper", "sve"),
    (ARM, "ldadd x1, x2, [x3]", "compiler_rt.aarch64_outline_atomics.x", "helper", "atomics"),
    (ARM, "add v1.4s, v2.4s, v3.4s", "helper", "", ""),
    (RISCV, "rol a0, a1, a2", "kp_md5_zbb_compress", "kp_md5_rv64_compress", "zbb or zbkb"),
    (RISCV, "sh1add a0, a1, a2", "", "kp_md5_zbb_compress", "zba"),
    (RISCV, "vghsh.vv v1, v2, v3", "kp_ghash_zvkg_update", "kp_ghash_portable_update", "zvkg"),
    (RISCV, "vaesem.vv v1, v2", "kp_aes_gcm_zvkned_zvkg_encrypt", "kp_ghash_zvkg_update", "zvkned"),
    (S390X, "vl %v1, 0(%r2)", "kp_md5_many_vx_compress", "kp_md5_portable_compress", "vx"),
    (S390X, "kma %r2, %r4, %r6", "kp_aes_gcm_cpacf_kma_seal_message", "helper", "kma-gcm-aes"),
    (S390X, "sgrk %r1, %r2, %r3", "kp_md5_z196_compress", "helper", "distinct-operands"),
]
DIRECTIVES = {
    ARM: ".arch armv9-a+aes+sha3+sve+lse\n",
    RISCV: ".option arch, +v, +zvkg, +zvkned, +zbb, +zba\n",
    S390X: ".machine arch12\n",
}


def violations(folder: Path, zig: str, instruction: str, function: str) -> list[str]:
    source = f"""{DIRECTIVES.get(zig, "")}.text
.type {function}, %function
{function}:
{instruction}
.size {function}, . - {function}
.section .note.GNU-stack, "", %progbits
"""
    path = folder / "object.o"
    path.write_bytes(planted.compile_zig(folder, zig, source, "-c", suffix=".s"))
    report = planted.audit(path)
    assert report.facts[""]["built_for"], "the target is known"
    assert {each.rule for each in report.findings} <= {"instructions"}
    return [each.message for each in report.findings]


@pytest.mark.parametrize(
    ("zig", "instruction", "allowed", "refused", "lacks"),
    PLANTED,
    ids=[
        f"{zig.split('-')[0]}-{instruction.split()[0]}-{no or yes}"
        for zig, instruction, yes, no, _ in PLANTED
    ],
)
def test_instruction(
    tmp_path: Path, zig: str, instruction: str, allowed: str, refused: str, lacks: str
) -> None:
    planted.need_disassembler()
    if allowed:
        assert violations(tmp_path, zig, instruction, allowed) == []
    if refused:
        messages = violations(tmp_path, zig, instruction, refused)
        assert any(f"in {refused} " in each and f" needs {lacks}, " in each for each in messages), messages


def test_bytes_in_a_kernel_that_are_no_instruction(tmp_path: Path) -> None:
    planted.need_disassembler()
    (message,) = violations(tmp_path, POWER, ".long 0x00000007", "kp_ghash_power8_crypto_update")
    assert "is no instruction that llvm-objdump knows" in message


def test_data_in_code_that_says_so_is_no_instruction(tmp_path: Path) -> None:
    planted.need_disassembler()
    table = ".type table, %object\ntable: .long 7, 0xf0000007\n.size table, . - table"
    assert violations(tmp_path, POWER, table, "kp_ghash_power8_crypto_update") == []


def test_every_feature_a_kernel_requires_is_known_to_the_audit() -> None:
    """One that no instruction needs is listed with none: one that is forgotten could be used anywhere."""
    for family in planted.TREE.families:
        for kernel in family.kernels:
            for arch in kernel.arch:
                listed = planted.TREE.architecture(arch).instructions
                known = {name for names in listed for name in names.split(" or ")}
                missing = sorted(set(kernel.requires) - known)
                assert not missing, (
                    f"{family.name}/{kernel.name}: list {missing} under instructions of {arch}"
                )
