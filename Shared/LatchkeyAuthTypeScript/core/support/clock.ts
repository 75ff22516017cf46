import type { Clock } from '../ports.js';

/**
 * A clock for platforms that have a monotonic clock which may stop while the device sleeps, and a date which may be set.
 *
 * Time passes as the monotonic clock says. Where the date has gone on by more than two seconds more, the device was asleep, or the
 * date was set: the time in between counts, which costs one renewal at most.
 *
 * @param monotonic returns milliseconds of the monotonic clock.
 * @param date returns milliseconds since 1970.
 * @param timer calls a function after a number of milliseconds, and returns a function that cancels it.
 */
export function makeClock(
  monotonic: () => number, date: () => number, timer: (body: () => void, milliseconds: number) => () => void,
): Clock {
  let [lastSteady, lastDate, passed] = [monotonic(), date(), 0];
  return {
    now(): number {
      const [steady, present] = [monotonic(), date()];
      const [ticked, dated] = [Math.max(0, steady - lastSteady), present - lastDate];
      passed += dated > ticked + 2000 ? dated : ticked;
      [lastSteady, lastDate] = [steady, present];
      return passed / 1000;
    },
    wall: () => date() / 1000,
    after: (seconds, body) => timer(body, seconds * 1000),
  };
}
