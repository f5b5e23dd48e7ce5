/** What a next step is told by. docs/reports.md has the same numbers. */
import { dayInMs } from '../../contract/times.ts';

/** The calls of this time tell in which stage a workspace is. */
export const recentTime = 7 * dayInMs;

/** What calls were before and after a move is told of the period, and of so long at least. */
export const historyTime = 30 * dayInMs;

/** So many calls have to be compared, with one setup, before none that differs says something. */
export const comparedCalls = 100;

/** Everything has to be translated for so long before the client itself is the next to move. */
export const settledTime = 7 * dayInMs;

/** By how much the share of errors may be more than v1's was; and without so many calls on either side, nothing is said of it. */
export const errorsBeyond = 0.01;
export const errorCalls = 20;

/** A stage whose last call is so much older than the workspace's last one is over, whatever came in between. */
export const stageOver = dayInMs;

/** Replicas read new rules some seconds apart: two stages that overlap for no longer came one after the other. */
export const overlap = 300_000;
