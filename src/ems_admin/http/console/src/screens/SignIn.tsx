/** The way in: the first password, the password, or what to do about a broken password file. */

import { useState } from "preact/hooks";
import type { AuthStatus } from "../server/shapes";
import { act, isBusy } from "../stores/acts";
import { createPassword, logIn, openSession, status } from "../stores/session";
import { RefusalNote } from "../panels/RefusalNote";
import { Button } from "../parts/Button";
import { Dialog } from "../parts/Dialog";
import { TextField } from "../parts/Field";
import { Note } from "../parts/Note";
import { Brand } from "./Brand";
import { HousePicture } from "../parts/HousePicture";

/** The whole page, for somebody who has just arrived. */
export function SignInPage() {
  const now = status.value;
  if (!now) return <Arriving />;
  return (
    <main class="door-page">
      <div class="door-card card">
        <Brand />
        <h1>{titleFor(now)}</h1>
        <SignInForm now={now} />
      </div>
      <HousePicture mood="resting" />
    </main>
  );
}

/** Over a page whose session has ended: the page below keeps its place and everything typed in it. */
export function SignInSheet() {
  const now = status.value;
  if (!now) return null;
  return (
    <Dialog title={now.auth_configured ? "Please sign in again" : titleFor(now)}>
      <p>Your session has ended. What you were doing is still here and goes on after you sign in.</p>
      <SignInForm now={now} />
    </Dialog>
  );
}

function titleFor(now: AuthStatus): string {
  if (now.recovery_required) return "The password file needs repair";
  return now.auth_configured ? "Welcome back" : "Choose a password";
}

function SignInForm({ now }: { now: AuthStatus }) {
  if (now.recovery_required) return <RepairPasswordFile fault={now.recovery_required} />;
  return now.auth_configured ? <LogIn /> : <FirstPassword codeRequired={now.setup_code_required} />;
}

function FirstPassword({ codeRequired }: { codeRequired: boolean }) {
  const [password, setPassword] = useState("");
  const [again, setAgain] = useState("");
  const [code, setCode] = useState("");
  const submit = () =>
    void act("sign-in", "sign-in", () =>
      createPassword({ password, confirm_password: again, ...(codeRequired ? { code: code.trim() } : {}) }),
    );
  return (
    <form class="stack" onSubmit={(event) => (event.preventDefault(), submit())}>
      <p class="soft">It protects this home's energy management. There is no default password, and nobody but you knows it.</p>
      {codeRequired && (
        <TextField
          label="One-time code"
          value={code}
          onChange={setCode}
          autocomplete="one-time-code"
          required
          focus
          hint="Printed in the terminal and in the log of EMS Admin each time it starts. It proves that you are the one who set it up."
        />
      )}
      <TextField label="New password" type="password" autocomplete="new-password" value={password} onChange={setPassword} required focus={!codeRequired} />
      <TextField label="Repeat password" type="password" autocomplete="new-password" value={again} onChange={setAgain} required />
      <RefusalNote corner="sign-in" />
      <Button submit kind="primary" busy={isBusy("sign-in")}>
        Create password
      </Button>
    </form>
  );
}

function LogIn() {
  const [password, setPassword] = useState("");
  const [factor, setFactor] = useState<string | null>(null);
  const submit = async () => {
    const body = { password, ...(factor ? { second_factor: factor.trim() } : {}) };
    const answer = await act("sign-in", "sign-in", () => logIn(body));
    if (answer.ok === false && answer.error === "second_factor_required") setFactor(factor ?? "");
  };
  return (
    <form class="stack" onSubmit={(event) => (event.preventDefault(), void submit())}>
      <TextField label="Password" type="password" autocomplete="current-password" value={password} onChange={setPassword} required focus />
      {factor !== null && (
        <TextField label="Second factor" value={factor} onChange={setFactor} autocomplete="one-time-code" inputMode="numeric" focus hint="The six digits of your authenticator, or a recovery code." />
      )}
      <RefusalNote corner="sign-in" />
      <Button submit kind="primary" busy={isBusy("sign-in")}>
        Sign in
      </Button>
      <details class="soft">
        <summary>Forgotten the password?</summary>
        <p>
          On the machine that runs EMS Admin, stop it and run <code>ems-admin password reset</code>. The next start prints a one-time
          code, and you choose a new password here. Nothing else changes.
        </p>
      </details>
    </form>
  );
}

const FAULTS: Record<NonNullable<AuthStatus["recovery_required"]>, string> = {
  unreadable: "The file that holds the password cannot be read. Most often its owner or its permissions have changed, or the disk has a fault.",
  malformed: "The file that holds the password is damaged. It may have been edited by hand, or copied incompletely.",
  unsupported_format: "The file that holds the password was written by a newer EMS Admin than this one.",
};

const REMEDIES: Record<NonNullable<AuthStatus["recovery_required"]>, string> = {
  unreadable: "Make the file readable for the user that runs EMS Admin, then check again. Your password stays the same.",
  malformed: "Put an intact copy back from a backup, or reset the password as shown below.",
  unsupported_format: "Start the newer EMS Admin again, or reset the password as shown below.",
};

function RepairPasswordFile({ fault }: { fault: NonNullable<AuthStatus["recovery_required"]> }) {
  return (
    <div class="stack">
      <Note tone="trouble" title={FAULTS[fault]}>
        <p>{REMEDIES[fault]}</p>
      </Note>
      <p class="soft">
        Nobody can sign in until then, and no new first password is offered: a broken file must not open the door to a stranger. On the
        machine itself, <code>ems-admin password reset</code> sets the file aside and lets you begin with a new password.
      </p>
      <Button kind="primary" icon="restart" onClick={() => void openSession()}>
        Check again
      </Button>
    </div>
  );
}

function Arriving() {
  return (
    <main class="door-page" aria-busy="true">
      <p class="soft">Looking for EMS Admin …</p>
    </main>
  );
}
