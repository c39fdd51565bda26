/**
 * For processes that run most of their code a few times: Node spends a tenth of their time on compiling it once more, for a speed
 * that comes too late. With this it does so for what is run more often than that.
 */
export const SELDOM_AGAIN = '--interrupt-budget=1000000';
