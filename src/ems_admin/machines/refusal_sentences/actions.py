"""The ways on that refusals offer. Each is one route of the site Admin; the console gathers what its body needs."""

from __future__ import annotations

from typing import Final

from ems_admin.machines.refusal_sentences.sentence import GET, POST, Action

# Looking
LOOK_AGAIN: Final = Action("look_again", "Look again", GET, "/api/admin/console")
SEE_OPERATION: Final = Action("see_operation", "See the operation", GET, "/api/admin/system-alignment/status")
SEE_WORK: Final = Action("see_work", "See what is running", GET, "/api/admin/jobs")
SEE_OWNER: Final = Action("see_owner", "See what is in progress", GET, "/api/admin/workflow-lifecycle")
SEE_INSTALL: Final = Action("see_install", "See what is installed", GET, "/api/admin/install-state")
SEE_JOURNAL: Final = Action("see_journal", "See what happened", GET, "/api/admin/journal")

# Access
SIGN_IN: Final = Action("sign_in", "Sign in", POST, "/api/admin/auth/login")
SET_PASSWORD: Final = Action("set_password", "Choose a password", POST, "/api/admin/auth/setup")
SEE_SIGN_IN: Final = Action("see_sign_in", "See how to sign in", GET, "/api/admin/auth/status")
REFRESH_SESSION: Final = Action("refresh_session", "Renew the session", POST, "/api/admin/auth/refresh")

# Guided Setup
BEGIN_SETUP: Final = Action("begin_setup", "Begin Guided Setup", POST, "/api/admin/start-path")
OPEN_SETUP: Final = Action("open_setup", "Open the current setup", GET, "/api/setup/workflow")
DISCARD_SETUP: Final = Action("discard_setup", "Discard the setup", POST, "/api/setup/abandon")
RETRY_CLEANUP: Final = Action("retry_cleanup", "Try the cleanup again", POST, "/api/setup/abandon")
RECHECK_CLEANUP: Final = Action("recheck_cleanup", "Check the leftovers again", POST, "/api/setup/abandon")
LEAVE_FILES: Final = Action("leave_files", "Leave the files as they are", POST, "/api/setup/cleanup/disown")
CHOOSE_BUILD: Final = Action("choose_build", "Choose a build", GET, "/api/setup/releases")
FETCH_BUILD: Final = Action("fetch_build", "Fetch the build", POST, "/api/setup/releases/prepare")
UPDATE_ADMIN: Final = Action("update_admin", "Update the Admin", POST, "/api/setup/system-build/update-admin")
REVIEW_CONFIG: Final = Action("review_config", "Review the configuration", POST, "/api/setup/config-preview")
WRITE_CONFIG: Final = Action("write_config", "Write the configuration", POST, "/api/setup/config/write")

# Deployment
SEE_DEPLOYMENT: Final = Action("see_deployment", "See the deployment", GET, "/api/setup/deployment/status")
PREPARE: Final = Action("prepare", "Prepare again", POST, "/api/setup/deployment/prepare")
START: Final = Action("start", "Start the EMS", POST, "/api/setup/deployment/start")
REPAIR: Final = Action("repair_permissions", "Repair the permissions", POST, "/api/setup/deployment/repair-permissions")
RESOLVE_CONFLICT: Final = Action(
    "resolve_conflict", "Resolve the conflict", POST, "/api/setup/deployment/resolve-container-conflict"
)

# The operation
RESUME: Final = Action("resume", "Go on", POST, "/api/admin/system-alignment/resume")
CANCEL: Final = Action("cancel", "Cancel the operation", POST, "/api/admin/system-alignment/cancel")
VALIDATE: Final = Action("validate_build", "Check the build again", POST, "/api/admin/system-alignment/validate")

# Who owns the console
PREVIEW_SWITCH: Final = Action(
    "preview_switch", "See what a switch would do", POST, "/api/admin/workflow-lifecycle/switch/preview"
)
PREVIEW_RECOVERY: Final = Action(
    "preview_recovery", "See what recovery can do", POST, "/api/admin/workflow-lifecycle/recovery/preview"
)

# Maintenance
OPEN_CONFIG: Final = Action("open_config", "Open the configuration", GET, "/api/admin/maintenance/config")
SEE_CONTAINERS: Final = Action("see_containers", "See the containers", GET, "/api/admin/maintenance/containers")
SEE_BACKUPS: Final = Action("see_backups", "See the backups", GET, "/api/admin/maintenance/backups")
REVIEW_MIGRATION: Final = Action(
    "review_migration", "Review the migration", GET, "/api/admin/maintenance/mqtt/migration-review"
)
DIAGNOSE: Final = Action("diagnose", "Run the diagnostics", POST, "/api/admin/maintenance/diagnostics/run")
CHECK_UPGRADE: Final = Action("check_upgrade", "Check the build again", POST, "/api/admin/maintenance/upgrade/validate")
PLAN_UPGRADE: Final = Action("plan_upgrade", "Plan the upgrade again", POST, "/api/admin/maintenance/upgrade/plan")
PLAN_ADMIN_UPDATE: Final = Action(
    "plan_admin_update", "Plan the Admin update", POST, "/api/admin/maintenance/admin-update/plan"
)
PLAN_RESTORE: Final = Action(
    "plan_restore", "Plan the restore again", POST, "/api/admin/maintenance/backups/restore/preview"
)
