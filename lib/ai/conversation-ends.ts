/** Words of ours where a vendor wants the user to speak and nobody has: no more than that the answer goes on. */

/** Before an answer that nobody asked for, such as a greeting, or of which the question was blank. */
export const openingText = "(The conversation begins with your answer.)";
/** Behind an answer, where the vendor does not go on with it by itself. */
export const goOnText = "Go on.";
