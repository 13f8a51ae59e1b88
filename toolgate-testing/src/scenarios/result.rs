//! Results that are large.

use toolgate_core::call::Code;

use super::Verdict;
use super::scene::Scene;

/// Of 50 MB only the size is kept, and said; of what is kept whole a part is shown.
pub(super) async fn i066_large_result_is_cut_and_replays_as_it_was_cut(scene: Scene) -> Verdict {
    let bench = scene.start().await;
    for mode in ["large", "huge"] {
        let first = bench.call("pay", mode, mode).await;
        assert_eq!((first.code, first.truncated), (Code::Ok, true), "{mode}: {}", first.message);
        let record = bench.story(&first.call_id).await.record;
        let left_out = record.content.first().and_then(|left_out| left_out.bytes).unwrap_or_default();
        let size = record.result_chars.unwrap_or_default().max(left_out);
        assert!(size > if mode == "huge" { 49_000_000 } else { 990_000 }, "{mode}: {size}");
        assert!(record.result_digest.is_some());
        let preview = record.result_preview.map(|preview| preview.to_string().len()).unwrap_or_default();
        assert!(preview < 20_000, "{preview} bytes of it in the record");
        let again = scene.start().await.call("pay", mode, mode).await;
        assert_eq!((again.code, &again.data), (Code::IdempotentReplay, &first.data), "{mode}");
        assert_eq!(scene.effects(mode), 1);
    }
    Verdict::Held
}
