/** The lengths in which the API, its limits and the record count time, in milliseconds. */

export const secondInMs = 1_000;
export const minuteInMs = 60_000;
export const hourInMs = 60 * minuteInMs;
export const dayInMs = 24 * hourInMs;
