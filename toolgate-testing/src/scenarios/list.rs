//! The list of all scenarios: a line for each, by group.

use std::fmt;

use super::scene::Scene;
use super::{Verdict, audit, crash, hooks, key, lease, panics, result, retention, storage, timeout};
use toolgate_core::tool::BoxFuture;

/// One scenario.
pub struct Scenario {
    /// Its name; it begins with its number.
    pub name: &'static str,
    pub(super) run: fn(Scene) -> BoxFuture<'static, Verdict>,
}

impl Scenario {
    /// Its number, such as `I001`.
    pub fn id(&self) -> String {
        self.name.split('_').next().unwrap_or_default().to_uppercase()
    }
}

impl fmt::Debug for Scenario {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

macro_rules! scenarios {
    ($($group:ident: $($name:ident)*;)*) => {
        /// All of them.
        pub static ALL: &[Scenario] = &[$($(
            Scenario { name: stringify!($name), run: |scene| Box::pin($group::$name(scene)) },
        )*)*];
    };
}

scenarios! {
    key:
        i001_first_call_has_its_effect
        i002_same_key_same_arguments_replays
        i003_same_key_other_arguments_is_a_conflict_that_shows_nothing
        i005_same_key_while_it_runs_is_a_duplicate
        i007_key_of_the_host_is_asked_for
        i008_malformed_key_is_refused
        i009_keys_of_two_principals_are_two
        i010_keys_of_two_tools_are_two
        i013_definite_failure_is_replayed
        i015_outcome_in_doubt_is_not_run_again;
    hooks:
        i017_what_reconcile_finds_applied_is_the_answer
        i018_what_reconcile_finds_not_applied_runs;
    retention:
        i020_pruned_key_never_runs_again
        i023_pruning_holds_up_no_claim;
    crash:
        i031_death_about_the_claim_leaves_nothing_or_doubt
        i032_death_about_the_claim_spends_the_approval_with_it
        i033_death_before_the_tool_is_entered_is_in_doubt
        i034_death_before_the_effect_is_in_doubt
        i035_death_after_the_effect_is_in_doubt_and_not_done_again
        i037_death_about_the_record_leaves_result_and_audit_together
        i039_death_between_two_beats_is_in_doubt;
    lease:
        i041_end_of_a_lease_proves_nothing
        i042_late_success_of_the_same_fence_settles_the_key
        i043_late_success_of_an_old_fence_is_an_alarm
        i044_tool_is_stopped_before_its_lease_is_over
        i046_clock_that_is_put_back_ends_no_lease
        i047_restart_names_the_dead_without_waiting;
    timeout:
        i050_timeout_is_unknown_until_the_late_result
        i051_timeout_of_a_read_changed_nothing
        i052_call_without_a_place_never_started
        i053_stuck_thread_keeps_its_place
        i054_late_result_of_a_thread_is_recorded_and_replayed
        i055_descendants_of_a_program_end_with_it
        i056_program_that_ignores_the_end_is_ended;
    panics:
        i060_panic_is_unknown_and_the_process_lives
        i061_panic_of_a_read_changed_nothing
        i062_panic_amid_a_read_of_the_store_poisons_nothing
        i064_overflow_of_the_stack_is_in_doubt_after_the_start
        i065_panic_amid_a_panic_is_in_doubt_after_the_start;
    result:
        i066_large_result_is_cut_and_replays_as_it_was_cut;
    storage:
        i070_busy_store_refuses_before_the_effect
        i072_read_only_store_is_refused_at_the_start
        i074_full_store_after_the_effect_seals_the_gate
        i076_corrupt_store_is_refused_and_kept
        i078_old_backup_is_noticed
        i079_network_file_system_is_refused
        i07c_failover_that_loses_commits_is_documented
        i07e_torn_log_is_a_prefix
        i07f_any_failing_operation_leaves_at_most_one_effect;
    audit:
        i090_edited_event_is_found
        i091_deleted_event_is_found
        i097_call_without_an_end_is_named_by_the_next_start
        i098_call_that_was_not_authorized_does_not_run
        i099_denied_call_does_not_succeed
        i09c_effect_waits_for_a_slow_store
        i09d_two_that_append_at_once_write_one_whole_chain
        i09e_events_that_read_alike_have_different_links
        i09f_large_arguments_are_recorded_by_digest_and_preview;
}
