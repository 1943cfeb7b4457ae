import { describe, expect, test } from "vitest";
import { Poller } from "../src/tab/poller";
import { HandClock, later, settled } from "./stage";

function counting(pause = 3000) {
  const clock = new HandClock();
  let looks = 0;
  const poller = new Poller(async () => void (looks += 1), () => pause, clock);
  return { clock, poller, looks: () => looks };
}

describe("a poller", () => {
  test("looks at once and then after every pause", async () => {
    const { clock, poller, looks } = counting();
    poller.start();
    await settled();
    expect(looks()).toBe(1);
    await clock.pass(9000);
    expect(looks()).toBe(4);
  });

  test("that is started twice owns one timer", async () => {
    const { clock, poller, looks } = counting();
    poller.start();
    poller.start();
    await settled();
    expect(clock.waiting).toBe(1);
    await clock.pass(3000);
    expect(looks()).toBe(3);
  });

  test("that was stopped during a look plans no other", async () => {
    const clock = new HandClock();
    const answer = later<void>();
    const poller = new Poller(() => answer.promise, () => 3000, clock);
    poller.start();
    poller.stop();
    answer.keep();
    await settled();
    expect(clock.waiting).toBe(0);
  });

  test("tells a look of the time before a restart that it is not wanted any more", async () => {
    const clock = new HandClock();
    const answers = [later<void>(), later<void>()];
    const heard: number[] = [];
    let round = 0;
    const poller = new Poller(
      async (wanted) => {
        const mine = round++;
        await answers[mine]?.promise;
        if (wanted()) heard.push(mine);
      },
      () => 3000,
      clock,
    );
    poller.start();
    poller.start();
    answers[1]?.keep();
    await settled();
    answers[0]?.keep();
    await settled();
    expect(heard).toEqual([1]);
    expect(clock.waiting).toBe(1);
  });

  test("never looks faster than once a second, however often it is nudged and whatever pause it is given", async () => {
    const { clock, poller, looks } = counting(10);
    poller.start();
    await settled();
    for (let nudge = 0; nudge < 50; nudge += 1) {
      poller.nudge();
      await clock.pass(20);
    }
    expect(looks()).toBeLessThanOrEqual(2);
  });

  test("that is nudged looks sooner than planned", async () => {
    const { clock, poller, looks } = counting(60_000);
    poller.start();
    await settled();
    await clock.pass(5000);
    poller.nudge();
    await clock.pass(0);
    expect(looks()).toBe(2);
  });

  test("stays silent when it is nudged after its end", async () => {
    const { clock, poller, looks } = counting();
    poller.start();
    await settled();
    poller.stop();
    poller.nudge();
    await clock.pass(10_000);
    expect(looks()).toBe(1);
  });
});
