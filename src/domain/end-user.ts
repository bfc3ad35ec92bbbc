/** The longest text that names an end user, in bytes of UTF-8. */
export const END_USER_BYTES_MAX = 512;

/** As many end users of a project may have limits of their own. */
export const END_USER_LIMITS_MAX = 1_000;
