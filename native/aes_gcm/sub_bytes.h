/* The AES S-box on bits: every bit position of the eight words is a byte of its own, word i holding bit i
 * of each. The includer defines the word type `kp_slice` first: anything with & and ^.
 *
 * The circuit is that of Boyar and Peralta, "A new combinational logic minimization technique with
 * applications to cryptology" (SEA 2010), in its version with 113 gates: 32 AND and 81 XOR. The constant
 * 0x63 at its end (four NOT) is left out: whoever uses this adds 0x63 to the bytes together with the next
 * round key, which costs nothing. Variables are named as in the paper. */
#ifndef KP_AES_SUB_BYTES_H
#define KP_AES_SUB_BYTES_H

static inline __attribute__((always_inline)) void kp_sub_bytes(kp_slice q[8]) {
    const kp_slice x0 = q[7], x1 = q[6], x2 = q[5], x3 = q[4], x4 = q[3], x5 = q[2], x6 = q[1], x7 = q[0];

    /* The inputs of the inversion in GF(2^4)^2, all linear. */
    const kp_slice y14 = x3 ^ x5, y13 = x0 ^ x6, y9 = x0 ^ x3, y8 = x0 ^ x5;
    const kp_slice t0 = x1 ^ x2;
    const kp_slice y1 = t0 ^ x7, y4 = y1 ^ x3, y12 = y13 ^ y14, y2 = y1 ^ x0, y5 = y1 ^ x6, y3 = y5 ^ y8;
    const kp_slice t1 = x4 ^ y12;
    const kp_slice y15 = t1 ^ x5, y20 = t1 ^ x1, y6 = y15 ^ x7, y10 = y15 ^ t0, y11 = y20 ^ y9, y7 = x7 ^ y11;
    const kp_slice y17 = y10 ^ y11, y19 = y10 ^ y8, y16 = t0 ^ y11, y21 = y13 ^ y16, y18 = x0 ^ y16;

    /* The inversion. */
    const kp_slice t2 = y12 & y15, t4 = (y3 & y6) ^ t2, t6 = (y4 & x7) ^ t2;
    const kp_slice t7 = y13 & y16, t9 = (y5 & y1) ^ t7, t11 = (y2 & y7) ^ t7;
    const kp_slice t12 = y9 & y11, t14 = (y14 & y17) ^ t12, t16 = (y8 & y10) ^ t12;
    const kp_slice t21 = t4 ^ t14 ^ y20, t22 = t6 ^ t16 ^ y19, t23 = t9 ^ t14 ^ y21, t24 = t11 ^ t16 ^ y18;
    const kp_slice t25 = t21 ^ t22, t26 = t21 & t23, t27 = t24 ^ t26, t29 = (t25 & t27) ^ t22;
    const kp_slice t30 = t23 ^ t24, t31 = t22 ^ t26, t33 = (t31 & t30) ^ t24;
    const kp_slice t34 = t23 ^ t33, t35 = t27 ^ t33, t36 = t24 & t35, t37 = t36 ^ t34;
    const kp_slice t38 = t27 ^ t36, t40 = t25 ^ (t29 & t38);
    const kp_slice t41 = t40 ^ t37, t42 = t29 ^ t33, t43 = t29 ^ t40, t44 = t33 ^ t37, t45 = t42 ^ t41;
    const kp_slice z0 = t44 & y15, z1 = t37 & y6, z2 = t33 & x7, z3 = t43 & y16, z4 = t40 & y1, z5 = t29 & y7;
    const kp_slice z6 = t42 & y11, z7 = t45 & y17, z8 = t41 & y10, z9 = t44 & y12, z10 = t37 & y3, z11 = t33 & y4;
    const kp_slice z12 = t43 & y13, z13 = t40 & y5, z14 = t29 & y2, z15 = t42 & y9, z16 = t45 & y14, z17 = t41 & y8;

    /* Back, and the affine map without its constant. */
    const kp_slice t46 = z15 ^ z16, t47 = z10 ^ z11, t48 = z5 ^ z13, t49 = z9 ^ z10, t50 = z2 ^ z12, t51 = z2 ^ z5;
    const kp_slice t52 = z7 ^ z8, t53 = z0 ^ z3, t54 = z6 ^ z7, t55 = z16 ^ z17, t56 = z12 ^ t48, t57 = t50 ^ t53;
    const kp_slice t58 = z4 ^ t46, t59 = z3 ^ t54, t60 = t46 ^ t57, t61 = z14 ^ t57, t62 = t52 ^ t58, t63 = t49 ^ t58;
    const kp_slice t64 = z4 ^ t59, t65 = t61 ^ t62, t66 = z1 ^ t63, t67 = t64 ^ t65;
    const kp_slice s3 = t53 ^ t66;
    q[7] = t59 ^ t63;
    q[6] = t64 ^ s3;
    q[5] = t55 ^ t67;
    q[4] = s3;
    q[3] = t51 ^ t66;
    q[2] = t47 ^ t65;
    q[1] = t56 ^ t62;
    q[0] = t48 ^ t60;
}

#endif
