//! The rules of an airline's desk: what must have been read before a booking is changed, what it must have
//! shown, and which arguments are never right. Not the tools themselves, which are another system's.
//!
//! Preconditions are about what was read: they look at the recorded answer of the tool that reads, not at
//! what the model says it saw. The policy is about arguments alone. Whatever passes both still needs a
//! person's yes, for exactly these arguments.

use toolgate::DynamicTool;
use toolgate::policy::{ArgumentRules, Rule};
use toolgate::spec::{Repeat, Risk};

/// What reads a reservation, and what reads a customer.
const RESERVATION: &str = "get_reservation_details";
const CUSTOMER: &str = "get_user_details";
/// Most ways to pay for one booking: a certificate, a card and three gift cards.
const MOST_PAYMENTS: usize = 5;

/// The time at the desk, as its records write it.
pub(crate) struct Desk {
    /// Such as `2024-05-15`.
    pub(crate) today: &'static str,
    /// What was booked from here on can be cancelled for any reason, such as `2024-05-14T15:00:00`.
    pub(crate) a_day_ago: &'static str,
}

impl Desk {
    /// The tool as the desk uses it: a reading tool only reads, any other asks a person and has its rules.
    pub(crate) fn guard(&self, tool: DynamicTool, name: &str) -> DynamicTool {
        let Some(question) = question(name) else {
            return tool.reads();
        };
        let tool = match name {
            // These leave the desk: a voucher is money, and a transfer is somebody else's time.
            "send_certificate" | "transfer_to_human_agents" => tool.risk(Risk::External, Repeat::Once),
            _ => tool.writes(Repeat::Once),
        };
        let rules = self.preconditions(name);
        rules.iter().fold(tool.confirm(question), |tool, (reads, when)| tool.precondition(*reads, Some(when)))
    }

    /// Which tool must have been called, and what it must have shown. One rule each, so that a refusal names
    /// the one that was broken.
    fn preconditions(&self, name: &str) -> Vec<(&'static str, String)> {
        // The reservation of this call, read in this task. Its flights are in the order of travel.
        let shows = |what: &str| (RESERVATION, format!("prior.reservation_id == args.reservation_id && {what}"));
        let not_flown = shows(&format!("result.flights[0].date >= '{}'", self.today));
        match name {
            "cancel_reservation" => vec![
                not_flown,
                shows(&format!(
                    "(result.cabin == 'business' || result.insurance == 'yes' || result.created_at >= '{}')",
                    self.a_day_ago
                )),
            ],
            "update_reservation_flights" => vec![
                not_flown,
                shows("(result.cabin != 'basic_economy' || size(args.flights) == size(result.flights))"),
                shows(&format!("size(args.flights) > 0 && args.flights[0].date >= '{}'", self.today)),
            ],
            "update_reservation_baggages" => vec![
                not_flown,
                // Bags can be added and not taken away.
                shows("args.total_baggages >= result.total_baggages && args.nonfree_baggages <= args.total_baggages"),
            ],
            "update_reservation_passengers" => {
                vec![not_flown, shows("size(args.passengers) == size(result.passengers)")]
            }
            "book_reservation" => (0..MOST_PAYMENTS).map(|number| (CUSTOMER, paid_by_the_customer(number))).collect(),
            "send_certificate" => vec![(CUSTOMER, "prior.user_id == args.user_id".to_owned())],
            _ => Vec::new(),
        }
    }
}

/// The payment of this number, where there is one, is with what the customer has, and with no more than is left
/// on it.
fn paid_by_the_customer(number: usize) -> String {
    let payment = format!("args.payment_methods[{number}]");
    let held = format!("result.payment_methods[{payment}.payment_id]");
    format!(
        "prior.user_id == args.user_id && (size(args.payment_methods) <= {number} || \
         {payment}.payment_id in result.payment_methods && \
         (!has({held}.amount) || {payment}.amount <= {held}.amount))"
    )
}

/// What a person is asked before it is done; nothing for what only reads.
fn question(name: &str) -> Option<&'static str> {
    Some(match name {
        "book_reservation" => "Book {origin} to {destination} for {user_id}: {flights}, paid with {payment_methods}?",
        "cancel_reservation" => "Cancel the whole reservation {reservation_id}?",
        "update_reservation_flights" => "Change {reservation_id} to {flights} in {cabin}, paid with {payment_id}?",
        "update_reservation_baggages" => "Give {reservation_id} {total_baggages} bags, paid with {payment_id}?",
        "update_reservation_passengers" => "Change the passengers of {reservation_id} to {passengers}?",
        "send_certificate" => "Send {user_id} a certificate over {amount}?",
        "transfer_to_human_agents" => "Hand the customer over: {summary}?",
        _ => return None,
    })
}

/// Which arguments are never right, whatever was read.
pub(crate) fn policy() -> ArgumentRules {
    let changes = ["update_reservation_flights", "update_reservation_baggages"];
    let certificate = Rule::deny("no_certificate", "a change is paid with a card or a gift card")
        .when("args.payment_id.startsWith('certificate_')");
    ArgumentRules::new("airline-desk/1")
        .rule(Rule::allow("desk", "what the desk does every day"))
        .rule(changes.into_iter().fold(certificate, Rule::tool))
        .rule(
            Rule::deny("five_passengers", "a booking is for one to five passengers")
                .tool("book_reservation")
                .when("size(args.passengers) < 1 || size(args.passengers) > 5"),
        )
        .rule(
            Rule::deny("payments", "a booking is paid in one to five parts")
                .tool("book_reservation")
                .when(format!("size(args.payment_methods) < 1 || size(args.payment_methods) > {MOST_PAYMENTS}")),
        )
        .rule(
            Rule::deny("certificate_limit", "a certificate is over at most 500")
                .tool("send_certificate")
                .when("args.amount <= 0 || args.amount > 500"),
        )
}
