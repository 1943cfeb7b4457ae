/** The console of EMS Admin. */

import "./design/tokens.css";
import "./design/base.css";
import "./design/frame.css";
import "./design/door.css";
import "./design/controls.css";
import "./design/fields.css";
import "./design/surfaces.css";
import "./design/notes.css";
import "./design/house.css";
import "./design/rail.css";
import "./design/setup.css";
import "./design/devices.css";
import "./design/work.css";
import "./design/diff.css";
import "./design/state.css";
import "./design/recovery.css";
import "./design/maintenance.css";
import "./design/editor.css";
import "./design/three_ways.css";
import "./design/backups.css";
import "./design/upgrade.css";
import { render } from "preact";
import { EndSetup } from "./panels/EndSetup";
import { ShownLater } from "./parts/Later";
import { Home } from "./screens/Home";
import { fetchTheOthers, SCREENS } from "./screens/later";
import { Reconnect } from "./screens/Reconnect";
import { Shell } from "./screens/Shell";
import { SignInPage, SignInSheet } from "./screens/SignIn";
import { replacing } from "./stores/replacement";
import { openSession, signedIn, status, wasSignedIn } from "./stores/session";
import { switching } from "./stores/switching";
import { place, type Place } from "./tab/route";
import { never } from "./setup/steps";

function Screen({ name }: { name: Place }) {
  switch (name) {
    case "home":
      return <Home />;
    case "setup":
    case "maintenance":
    case "recovery":
    case "state":
      return <ShownLater part={SCREENS[name]} />;
    default:
      return never(name);
  }
}

/** What cannot go on without the other Admin. Looking around, and ending what waits, stays possible. */
const WAITS: ReadonlySet<Place> = new Set(["home", "setup"]);

function Console() {
  if (!wasSignedIn.value) return <SignInPage />;
  return (
    <>
      <Shell>
        {replacing.value && WAITS.has(place.value) ? <Reconnect /> : <Screen name={place.value} />}
      </Shell>
      <EndSetup />
      {switching.value && <ShownLater part={SCREENS.switch} quiet />}
      {status.value && !signedIn.value && <SignInSheet />}
    </>
  );
}

const root = document.getElementById("console");
if (root) render(<Console />, root);
void openSession().then(() => {
  // After the first answer has been drawn; the pause lets a slow phone show it before anything else is read.
  setTimeout(fetchTheOthers, 1500);
});
