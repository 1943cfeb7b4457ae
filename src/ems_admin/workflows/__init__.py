"""The application: gather facts, decide, commit, perform. It awaits nothing but the ports it declares."""
