#!/bin/sh
# Runs the speed test of AES-256-GCM on POWER9 and lists which of the assembly functions for the vector crypto
# instructions were executed: speed.sh FOLDER PROGRAM
set -eu
qemu-ppc64-static -cpu power9 -d in_asm -D "$1/executed" "$2" speed -seconds 1 -evp aes-256-gcm
functions=$(grep -o -E 'IN. (aes_p8_ctr32_encrypt_blocks|gcm_ghash_p8)' "$1/executed" | sort -u)
echo "${functions:-none of them}"
