/** Deletes what is too old in its resolution, and in the end altogether. */
import { dayInMs, hourInMs } from '../../../contract/times.ts';
import { sourcesOfCaller } from '../../model.ts';
import { pausesOf } from '../pauses.ts';
import { daysOfBlock, hoursOfDay } from '../plan.ts';
import { oldSteps } from '../road.ts';
import type { Retention } from '../store.ts';
import { forgetLogs } from './logs.ts';
import type { Step, Steps } from './steps.ts';

const callersOfStep = 100;

export class Ageing {
  readonly #steps: Steps;

  constructor(steps: Steps) {
    this.#steps = steps;
  }

  *steps(now: number, retention: Retention): Generator<Step> {
    const minutesFrom = Math.floor((now - retention.minutes) / hourInMs);
    const hoursFrom = Math.floor((now - retention.hours) / dayInMs);
    const daysFrom = Math.floor((now - retention.days) / dayInMs);
    yield () =>
      this.#steps.transaction(() => {
        this.#keepFrom('minutes_from', minutesFrom);
        this.#keepFrom('hours_from', hoursFrom);
      });
    for (const hour of this.#steps.periodsBefore('minute', 'hour', minutesFrom))
      yield () => this.#steps.transaction(() => this.#seal('hour', hour, 'minute'));
    for (const day of this.#steps.periodsBefore('hour', 'day', hoursFrom))
      yield () => this.#steps.transaction(() => this.#seal('day', day, 'hour'));
    for (const hour of this.#steps.periodsBefore('saving', 'hour', Math.max(hoursFrom, daysFrom) * hoursOfDay))
      yield () => this.#steps.transaction(() => this.#steps.run('DELETE FROM saving WHERE hour = ?', [hour]));
    yield* this.#forget(daysFrom);
    yield* forgetLogs(this.#steps, Math.floor(daysFrom / daysOfBlock) * daysOfBlock);
  }

  /** Deletes the finer rows of a period that holds them all; what still comes for it makes a part of its own. */
  #seal(size: 'hour' | 'day', number: number, finer: 'minute' | 'hour'): void {
    const [clean] = this.#steps.all('SELECT 1 FROM period WHERE size = ? AND number = ? AND version = done', [size, number]);
    if (clean === undefined || (size === 'day' && !this.#hoursSealed(number))) return;
    this.#steps.run(`DELETE FROM ${finer} WHERE ${size} = ?`, [number]);
    this.#steps.run('UPDATE period SET part = part + 1 WHERE size = ? AND number = ?', [size, number]);
  }

  /** Hours whose minutes are still there would be made anew from all of them when another comes, and count in two parts of their day. */
  #hoursSealed(day: number): boolean {
    const hours = [day * hoursOfDay, (day + 1) * hoursOfDay];
    return this.#steps.hoursDone(day) && this.#steps.all('SELECT 1 FROM minute WHERE hour >= ? AND hour < ? LIMIT 1', hours).length === 0;
  }

  /** Deletes blocks of days that are too old, and all that has not been seen since. */
  *#forget(daysFrom: number): Generator<Step> {
    const block = Math.floor(daysFrom / daysOfBlock);
    const day = block * daysOfBlock;
    if (this.#steps.all(`SELECT 1 FROM period WHERE size = 'day' AND number < ? LIMIT 1`, [day]).length > 0) {
      // Sums and peaks go first, and the days that say what there is last: a reader between two steps sees less, but nothing twice.
      yield () =>
        this.#steps.transaction(() => {
          // Who called before is not known any more: the record begins where what is kept of it does.
          this.#steps.run('UPDATE session SET since = min(seen, ?) WHERE since < ?', [day * dayInMs, day * dayInMs]);
          this.#steps.run(`DELETE FROM period WHERE size = 'block' AND number < ?`, [block]);
        });
      for (const old of this.#steps.periodsBefore('day', 'block', block))
        for (const [from, to] of this.#steps.slices('day', 'block', old))
          yield () =>
            this.#steps.transaction(() =>
              this.#steps.run('DELETE FROM day WHERE block = ? AND caller >= ? AND caller < ?', [old, from, to]),
            );
      const [last] = this.#steps.all('SELECT max(n) AS n FROM (SELECT n FROM caller UNION ALL SELECT n FROM key)', []);
      for (let from = 0; from <= Number(last?.['n'] ?? 0); from += callersOfStep)
        yield () => this.#steps.transaction(() => this.#forgetCallers(from, from + callersOfStep, day));
      yield () => this.#steps.transaction(() => this.#forgetTimes(day));
    }
    yield () =>
      this.#steps.transaction(() =>
        this.#steps.run(
          `DELETE FROM source WHERE (caller, network) IN (SELECT caller, network FROM
             (SELECT caller, network, row_number() OVER (PARTITION BY caller ORDER BY last DESC) AS place FROM source) WHERE place > ?)`,
          [sourcesOfCaller],
        ),
      );
  }

  #forgetCallers(from: number, to: number, day: number): void {
    // A reader that sees a caller's rhythm no more has its longest pause still.
    const days = 'SELECT caller, first, last FROM caller_day WHERE caller >= ? AND caller < ?';
    this.#steps.run(
      `UPDATE caller SET pause = max(coalesce(caller.pause, 0), forgotten.pause)
       FROM (SELECT caller, max(pause) AS pause FROM (${pausesOf(days)}) AS pauses WHERE first < ? GROUP BY caller) AS forgotten
       WHERE n = forgotten.caller AND forgotten.pause > 0`,
      [from, to, day * dayInMs],
    );
    this.#steps.run('DELETE FROM block WHERE caller >= ? AND caller < ? AND block < ?', [from, to, day / daysOfBlock]);
    this.#steps.run('DELETE FROM caller_day WHERE caller >= ? AND caller < ? AND day < ?', [from, to, day]);
    this.#steps.run('DELETE FROM load WHERE key >= ? AND key < ? AND hour < ?', [from, to, day * hoursOfDay]);
    // One that came back today is not in any day yet.
    const gone = `SELECT n FROM caller WHERE n >= ? AND n < ? AND seen < ? AND NOT EXISTS (SELECT 1 FROM caller_day WHERE caller = n)
      AND n NOT IN (SELECT caller FROM hour) AND n NOT IN (SELECT caller FROM minute)
      AND NOT EXISTS (SELECT 1 FROM load WHERE load.key = caller.key)`;
    const cells = [from, to, day * dayInMs];
    this.#steps.run(`DELETE FROM source WHERE caller IN (${gone})`, cells);
    this.#steps.run(`DELETE FROM caller WHERE n IN (${gone})`, cells);
    this.#steps.run('DELETE FROM key WHERE n >= ? AND n < ? AND NOT EXISTS (SELECT 1 FROM caller WHERE key = key.n)', [from, to]);
  }

  #forgetTimes(day: number): void {
    this.#steps.run('DELETE FROM peak WHERE day < ?', [day]);
    this.#steps.run('DELETE FROM minute WHERE hour < ?', [day * hoursOfDay]);
    this.#steps.run('DELETE FROM hour WHERE day < ?', [day]);
    this.#steps.run(`DELETE FROM period WHERE size = 'day' AND number < ?`, [day]);
    this.#steps.run(`DELETE FROM period WHERE size = 'hour' AND number < ?`, [day * hoursOfDay]);
    this.#steps.run('DELETE FROM gap WHERE until < ?', [day * dayInMs]);
    this.#steps.run('DELETE FROM erased WHERE last < ?', [day * dayInMs]);
    this.#steps.run('DELETE FROM comparison WHERE last < ?', [day * dayInMs]);
    this.#steps.run(`DELETE FROM step WHERE ${oldSteps('?')}`, [day * dayInMs]);
    // The last one of a proxy that fell silent is what tells of it, however long ago that was.
    this.#steps.run(
      `DELETE FROM session WHERE seen < ? AND n NOT IN (SELECT session FROM gap) AND n NOT IN (SELECT session FROM comparison)
         AND (ended OR EXISTS (SELECT 1 FROM session AS next WHERE next.replica = session.replica AND next.seen > session.seen))`,
      [day * dayInMs],
    );
  }

  #keepFrom(name: 'minutes_from' | 'hours_from', value: number): void {
    this.#steps.run('INSERT INTO meta VALUES (?, ?) ON CONFLICT DO UPDATE SET value = max(value, excluded.value)', [name, value]);
  }
}
