# The images of one System Build: `admin` (the last stage, so the one that a plain build makes) and `ems`.
#
#   make image                                      both, of this checkout, for the engine of this machine
#   docker build --build-arg BASE=… --build-arg PIP_NO_INDEX=1 …    another base; wheels from `wheels/` alone
#
# Any base will do that has python3 (3.11 or newer) with venv. Nothing here needs BuildKit. Who a build is comes from the
# build arguments alone: the labels and `build.json` are written from the same words, so they cannot disagree.

ARG BASE=python:3.11-slim-bookworm

# The packages, by the hashes of requirements.lock. What is built in here stays here, the installer included.
FROM ${BASE} AS packages
ARG PIP_NO_INDEX=
COPY requirements.lock wheels* /build/
RUN python3 -m venv /opt/ems-admin \
 && PIP_NO_INDEX=${PIP_NO_INDEX} /opt/ems-admin/bin/pip install --quiet --disable-pip-version-check --no-cache-dir \
      --require-hashes --no-deps --find-links /build -r /build/requirements.lock \
 && /opt/ems-admin/bin/pip uninstall --quiet --yes setuptools pip \
 && echo /opt/ems-admin/program > "$(echo /opt/ems-admin/lib/python3*/site-packages)/ems-admin.pth" \
 && printf '%s\n' '#!/opt/ems-admin/bin/python3' 'from ems_admin.app import main' '' 'main()' > /opt/ems-admin/bin/ems-admin \
 && chmod 755 /opt/ems-admin/bin/ems-admin

# What both images stand on. Nobody writes into an image that runs, so nothing is compiled there either: what most bases
# leave uncompiled, the standard library, is compiled here. On a small machine that halves every start.
FROM ${BASE} AS runtime
RUN python3 -m compileall -q -x '/(test|tests|idlelib|lib2to3|turtledemo|ensurepip|dist-packages|site-packages)/' \
      "$(python3 -c 'import sysconfig; print(sysconfig.get_path("stdlib"))')"
COPY --from=packages /opt/ems-admin /opt/ems-admin
ENV PATH=/opt/ems-admin/bin:$PATH PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1

# The demo EMS. It runs as any user: the Admin says which.
FROM runtime AS ems
ENV EMS_CONFIG=/config EMS_DATA=/data EMS_PORT=8099
EXPOSE 8099
STOPSIGNAL SIGTERM
ENTRYPOINT ["python3", "-m", "ems", "--host", "0.0.0.0"]
COPY src/ems_admin/demo/ems /opt/ems-admin/program/ems
RUN python3 -m compileall -q /opt/ems-admin/program
ARG SYSTEM_TAG
ARG BUILD_ID
ARG REVISION
ARG BUILT_AT
RUN test -n "$BUILT_AT" || { echo "build arguments: SYSTEM_TAG BUILD_ID REVISION BUILT_AT" >&2; exit 1; } \
 && printf '{"system_tag":"%s","build_id":"%s","revision":"%s","defect":null}\n' \
      "$SYSTEM_TAG" "$BUILD_ID" "$REVISION" > /opt/ems-admin/program/ems/build.json
LABEL org.opencontainers.image.title="Demo EMS" \
      org.opencontainers.image.version="${SYSTEM_TAG}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.created="${BUILT_AT}" \
      org.opencontainers.image.licenses="Apache-2.0" \
      io.ems-admin.build-id="${BUILD_ID}"
USER 10001:10001

# The Admin.
FROM runtime AS admin
ENV EMS_ADMIN_LISTEN=0.0.0.0:8090
EXPOSE 8090
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
  CMD ["python3", "-S", "-E", "/opt/ems-admin/bin/ems-admin-health"]
ENTRYPOINT ["ems-admin"]
COPY tools/image_health.py /opt/ems-admin/bin/ems-admin-health
COPY diagrams /opt/ems-admin/program/ems_admin/diagrams
COPY src/ems_admin /opt/ems-admin/program/ems_admin
RUN python3 -m compileall -q /opt/ems-admin/program
ARG SYSTEM_TAG
ARG BUILD_ID
ARG REVISION
ARG BUILT_AT
ARG REQUIRES
RUN test -n "$REQUIRES" || { echo "build arguments: SYSTEM_TAG BUILD_ID REVISION BUILT_AT REQUIRES" >&2; exit 1; } \
 && printf '{"format_version":1,"system_tag":"%s","build_id":"%s","revision":"%s","built_at":"%s","requires":"%s"}\n' \
      "$SYSTEM_TAG" "$BUILD_ID" "$REVISION" "$BUILT_AT" "$REQUIRES" > /opt/ems-admin/program/ems_admin/build.json
LABEL org.opencontainers.image.title="ems-admin" \
      org.opencontainers.image.version="${SYSTEM_TAG}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.created="${BUILT_AT}" \
      org.opencontainers.image.licenses="Apache-2.0" \
      io.ems-admin.build-id="${BUILD_ID}"
USER 10001:10001
