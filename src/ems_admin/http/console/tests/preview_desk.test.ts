import { expect, test } from "vitest";
import type { Answer } from "../src/server/client";
import { PreviewDesk } from "../src/setup/preview_desk";
import { HandClock, later, settled } from "./stage";

type Shown = { of: string };

function desk() {
  const clock = new HandClock();
  const asked: string[] = [];
  const answers: ReturnType<typeof later<Answer<Shown>>>[] = [];
  const heard: Answer<Shown>[] = [];
  const made = new PreviewDesk<string, Shown>(
    {
      ask: (draft) => {
        asked.push(draft);
        const answer = later<Answer<Shown>>();
        answers.push(answer);
        return answer.promise;
      },
      answered: (answer) => heard.push(answer),
    },
    clock,
  );
  return { clock, made, asked, answers, heard };
}

const yes = (of: string): Answer<Shown> => ({ ok: true, of });

test("a preview is asked for after a pause in typing, once for the last draft", async () => {
  const { clock, made, asked } = desk();
  for (const draft of ["a", "ab", "abc"]) {
    made.want(draft);
    await clock.pass(100);
  }
  expect(asked).toEqual([]);
  await clock.pass(400);
  expect(asked).toEqual(["abc"]);
});

test("the same draft is not asked for twice", async () => {
  const { clock, made, asked, answers } = desk();
  made.want("a");
  await clock.pass(400);
  answers[0]?.keep(yes("a"));
  await settled();
  made.want("a");
  await clock.pass(400);
  expect(asked).toEqual(["a"]);
});

test("a late answer for an older draft is not heard", async () => {
  const { made, answers, heard } = desk();
  made.wantNow("old");
  made.wantNow("new");
  answers[1]?.keep(yes("new"));
  await settled();
  answers[0]?.keep(yes("old"));
  await settled();
  expect(heard).toEqual([yes("new")]);
});

test("after a conflict neither the timer asks nor an answer in flight is heard", async () => {
  const { clock, made, asked, answers, heard } = desk();
  made.wantNow("a");
  made.drop();
  answers[0]?.keep(yes("a"));
  await settled();
  made.want("b");
  made.drop();
  await clock.pass(10_000);
  expect(asked).toEqual(["a"]);
  expect(heard).toEqual([]);
  expect(clock.waiting).toBe(0);
});

test("a refused preview may be asked for again with the same draft", async () => {
  const { clock, made, asked, answers } = desk();
  made.wantNow("a");
  answers[0]?.keep({ ok: false, error: "state_lock_busy", message: "Busy.", next_actions: [] });
  await settled();
  made.want("a");
  await clock.pass(400);
  expect(asked).toEqual(["a", "a"]);
});
