/** A bound of attempts that the page needs too. Apart from the schemas, so that the page does not load them. */

/** More than four of one task nobody compares, and each has a turn that runs. */
export const MAX_ATTEMPTS = 4;
