/** Thrown out of a deed, so that its intent stays open until somebody can tell. */
export class Undecided extends Error {}
