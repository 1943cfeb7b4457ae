"""The ports: everything the application awaits. `stores`, `builds`, `docker` and `native` implement them."""
