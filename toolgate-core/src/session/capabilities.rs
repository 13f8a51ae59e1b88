//! What a session may do, as layers: a call is allowed where every layer allows it. Narrowing adds a
//! layer, so nothing can ever widen.

mod count;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use super::for_tools::ForTools;
use crate::policy;
use crate::resource::net::HostRules;
use crate::resource::{HostEntry, HostRuleError, Hosts, names};
use crate::spec::{RegisteredTool, Risk};

/// Most calls, counted from when the layer was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CallLimits {
    /// Calls that reach the policy stage.
    pub calls: Option<u64>,
    /// Runs of tools that can change something.
    pub effects: Option<u64>,
}

#[derive(Debug, Default)]
struct Counters {
    calls: AtomicU64,
    effects: AtomicU64,
}

/// What one layer allows; `None` allows everything that lower layers allow.
#[derive(Debug, Clone, Default)]
struct Layer {
    tools: Option<BTreeSet<String>>,
    risks: Option<BTreeSet<Risk>>,
    permissions: Option<Vec<String>>,
    readable: Option<Vec<String>>,
    writable: Option<Vec<String>>,
    hosts: Option<Arc<HostRules>>,
    credentials: Option<BTreeMap<String, ForTools>>,
    programs: Option<Vec<String>>,
    limits: CallLimits,
    counters: Arc<Counters>,
    source: Source,
}

/// Who made a layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Source {
    /// The host.
    #[default]
    Host,
    /// The host, which leaves everything to a policy.
    LeftToPolicy,
    /// A policy's grants.
    Policy,
}

/// What narrows capabilities; what isn't said stays as it was.
#[derive(Debug, Clone, Default)]
pub struct Narrowing {
    layer: Layer,
}

/// What a session or task may do. Empty to begin with: nothing.
#[derive(Debug, Clone)]
pub struct Capabilities {
    /// Shared: each run of a tool is told what its task may do.
    layers: Arc<Vec<Layer>>,
}

fn words<I: IntoIterator<Item = S>, S: Into<String>, C: FromIterator<String>>(items: I) -> C {
    items.into_iter().map(Into::into).collect()
}

macro_rules! setters {
    ($type:ident, $layer:ident => $access:expr, $credentials:expr) => {
        impl $type {
            /// Only these tools, by name; a `*` at the end stands for all that begin so.
            #[must_use]
            pub fn allow_tools(mut self, tools: impl IntoIterator<Item = impl Into<String>>) -> Self {
                let $layer = &mut self;
                $access.tools = Some(words(tools));
                self
            }

            /// Only these risk levels.
            #[must_use]
            pub fn allow_risks(mut self, risks: impl IntoIterator<Item = Risk>) -> Self {
                let $layer = &mut self;
                $access.risks = Some(risks.into_iter().collect());
                self
            }

            /// Only these permissions, such as `write:service`; `write:*` stands for all that begin so, `*` for all.
            #[must_use]
            pub fn permissions(mut self, permissions: impl IntoIterator<Item = impl Into<String>>) -> Self {
                let $layer = &mut self;
                $access.permissions = Some(words(permissions));
                self
            }

            /// Only below these folders of the workspace may be read; `.` is all of it.
            #[must_use]
            pub fn readable(mut self, prefixes: impl IntoIterator<Item = impl Into<String>>) -> Self {
                let $layer = &mut self;
                $access.readable = Some(words(prefixes));
                self
            }

            /// Only below these folders of the workspace may be written.
            #[must_use]
            pub fn writable(mut self, prefixes: impl IntoIterator<Item = impl Into<String>>) -> Self {
                let $layer = &mut self;
                $access.writable = Some(words(prefixes));
                self
            }

            /// Only these hosts: patterns such as `api.example.com` and `*.example.com`, or
            /// [`HostRule`](crate::resource::HostRule)s where scheme, port or network differ from `https`, 443 and
            /// public. What is no rule is an error when the session is opened, and lets nothing through in a
            /// narrowing.
            #[must_use]
            pub fn hosts(mut self, hosts: impl IntoIterator<Item = impl Into<HostEntry>>) -> Self {
                let $layer = &mut self;
                $access.hosts = Some(Arc::new(HostRules::new(hosts)));
                self
            }

            /// Only the credentials of these names, each for every tool that may be called.
            #[must_use]
            pub fn credentials(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
                let $layer = &mut self;
                $credentials.credentials = Some(names.into_iter().map(|name| (name.into(), ForTools::All)).collect());
                self
            }

            /// The credential of this name too, for these tools only, by name or its beginning before `*`; of all
            /// others, only those that were said before.
            #[must_use]
            pub fn credential_for(
                mut self,
                name: impl Into<String>,
                tools: impl IntoIterator<Item = impl Into<String>>,
            ) -> Self {
                let $layer = &mut self;
                $credentials.credentials.get_or_insert_default().insert(name.into(), ForTools::These(words(tools)));
                self
            }

            /// Only these programs: names that the host's search path knows, or absolute paths.
            #[must_use]
            pub fn programs(mut self, programs: impl IntoIterator<Item = impl Into<String>>) -> Self {
                let $layer = &mut self;
                $access.programs = Some(words(programs));
                self
            }

            /// At most so many calls.
            #[must_use]
            pub fn limits(mut self, limits: CallLimits) -> Self {
                let $layer = &mut self;
                $access.limits = limits;
                self
            }
        }
    };
}

setters!(Narrowing, me => me.layer, me.layer);
setters!(Capabilities, me => me.base(), me.credential_base());

impl Default for Capabilities {
    fn default() -> Self {
        Self::none()
    }
}

impl Capabilities {
    /// Nothing at all.
    pub fn none() -> Self {
        let layer = Layer {
            tools: Some(BTreeSet::new()),
            risks: Some(BTreeSet::new()),
            permissions: Some(Vec::new()),
            readable: Some(Vec::new()),
            writable: Some(Vec::new()),
            hosts: Some(Arc::default()),
            credentials: Some(BTreeMap::new()),
            programs: Some(Vec::new()),
            ..Layer::default()
        };
        Self { layers: Arc::new(vec![layer]) }
    }

    /// Everything that the gate's policy grants to the task's type, such as a policy
    /// file: for hosts whose policy is the only authority. Under a policy
    /// that grants nothing itself, as most do, it is nothing at all. What is set on it narrows it.
    pub fn by_policy() -> Self {
        let layer = Layer { source: Source::LeftToPolicy, ..Layer::default() };
        Self { layers: Arc::new(vec![layer]) }
    }

    /// Whether the host has left everything to a policy.
    pub(crate) fn are_left_to_policy(&self) -> bool {
        self.layers.iter().any(|layer| layer.source == Source::LeftToPolicy)
    }

    /// The same, less what a policy doesn't grant; of the parts that are `None`, nothing is taken away.
    pub(crate) fn within(&self, grants: Narrowing) -> Self {
        let mut within = self.narrow(grants);
        let says_hosts = within.layers.iter().any(|layer| layer.hosts.is_some());
        let says_credentials = within.layers.iter().any(|layer| layer.credentials.is_some());
        if let Some(layer) = Arc::make_mut(&mut within.layers).last_mut() {
            layer.source = Source::Policy;
            // Where nobody says which hosts, none may be reached.
            if !says_hosts {
                layer.hosts = Some(Arc::default());
            }
            if !says_credentials {
                layer.credentials = Some(BTreeMap::new());
            }
        }
        within
    }

    /// Where a setter writes: the first layer while there is only that, a new one afterwards, so that
    /// narrowed capabilities can't be widened by setting something again.
    fn base(&mut self) -> &mut Layer {
        let is_left = self.are_left_to_policy();
        let layers = Arc::make_mut(&mut self.layers);
        if layers.len() != 1 || is_left {
            layers.push(Layer::default());
        }
        match layers.last_mut() {
            Some(layer) => layer,
            None => unreachable!("a layer was pushed"),
        }
    }

    /// As [`Self::base`] for credentials, which are named one by one, so that all of them stand in one layer.
    fn credential_base(&mut self) -> &mut Layer {
        if self.layers.len() != 1 {
            return self.base();
        }
        match Arc::make_mut(&mut self.layers).first_mut() {
            Some(layer) => layer,
            None => unreachable!("there is one layer"),
        }
    }

    /// The same, less what `narrowing` takes away.
    #[must_use]
    pub fn narrow(&self, narrowing: Narrowing) -> Self {
        if let Some(bad) = narrowing.layer.hosts.as_deref().and_then(HostRules::bad) {
            tracing::error!(%bad, "a narrowing that lets no URL through");
        }
        // Counters of its own: a narrowing may be used for many tasks.
        let layer = Layer { counters: Arc::default(), source: Source::Host, ..narrowing.layer };
        let mut layers = Vec::clone(&self.layers);
        layers.push(layer);
        Self { layers: Arc::new(layers) }
    }

    /// Whether there is anything: what is left to a policy is nothing until one grants something.
    fn is_granted(&self) -> bool {
        let has = |source| self.layers.iter().any(|layer| layer.source == source);
        !self.layers.is_empty() && (!has(Source::LeftToPolicy) || has(Source::Policy))
    }

    fn all<T>(&self, part: impl Fn(&Layer) -> Option<&T>, allows: impl Fn(&T) -> bool) -> bool {
        self.is_granted() && self.layers.iter().all(|layer| part(layer).is_none_or(&allows))
    }

    /// Whether the tool may be seen and called.
    pub fn allows_tool(&self, name: &str) -> bool {
        self.all(
            |layer| layer.tools.as_ref(),
            |tools| {
                tools.contains(name)
                    || tools.iter().any(|pattern| pattern.ends_with('*') && policy::names(pattern, name))
            },
        )
    }

    /// Whether the tool is shown to a model at all.
    pub(crate) fn may_see(&self, tool: &RegisteredTool) -> bool {
        self.allows_tool(tool.spec.name)
            && self.allows_risk(tool.spec.risk)
            && tool.spec.permissions.iter().all(|permission| self.holds(permission))
    }

    /// Whether tools of this risk may be called.
    pub fn allows_risk(&self, risk: Risk) -> bool {
        self.all(|layer| layer.risks.as_ref(), |risks| risks.contains(&risk))
    }

    /// Whether the permission is held.
    pub fn holds(&self, permission: &str) -> bool {
        self.all(|layer| layer.permissions.as_ref(), |held| held.iter().any(|pattern| holds(pattern, permission)))
    }

    /// Whether something beneath these folders may be read, judged by `beneath`.
    pub fn may_read(&self, beneath: impl Fn(&str) -> bool) -> bool {
        self.all(|layer| layer.readable.as_ref(), |prefixes| prefixes.iter().any(|prefix| beneath(prefix)))
    }

    /// Whether something beneath these folders may be written, judged by `beneath`.
    pub fn may_write(&self, beneath: impl Fn(&str) -> bool) -> bool {
        self.all(|layer| layer.writable.as_ref(), |prefixes| prefixes.iter().any(|prefix| beneath(prefix)))
    }

    /// The hosts that may be reached, to be asked about URLs and addresses.
    pub fn reachable(&self) -> Hosts {
        let layers = self.layers.iter().filter(|_| self.is_granted());
        Hosts::of_layers(layers.filter_map(|layer| layer.hosts.clone()))
    }

    /// The first host that is no rule.
    pub(crate) fn bad_host(&self) -> Option<&HostRuleError> {
        self.layers.iter().filter_map(|layer| layer.hosts.as_deref()).find_map(HostRules::bad)
    }

    /// Whether this tool may ask for the credential.
    pub fn allows_credential(&self, name: &str, tool: &str) -> bool {
        let given = |granted: &BTreeMap<String, ForTools>| granted.get(name).is_some_and(|tools| tools.has(tool));
        self.all(|layer| layer.credentials.as_ref(), given)
    }

    /// Whether a program may be run: every layer lists it, by a name or path that `is` it.
    pub fn allows_program(&self, is: impl Fn(&str) -> bool) -> bool {
        self.all(|layer| layer.programs.as_ref(), |programs| programs.iter().any(|listed| is(listed)))
    }

    /// The folders of the workspace that may be read whole, `.` being all of it: for what can enforce folders
    /// and nothing finer. A folder beneath another one of them isn't told.
    pub fn readable_folders(&self) -> Vec<String> {
        self.folders(|layer| layer.readable.as_deref())
    }

    /// The folders of the workspace that may be written whole.
    pub fn writable_folders(&self) -> Vec<String> {
        self.folders(|layer| layer.writable.as_deref())
    }

    /// Folders that every layer lists, or lists a folder above.
    fn folders(&self, part: impl Fn(&Layer) -> Option<&[String]>) -> Vec<String> {
        let lists: Vec<&[String]> = self.layers.iter().filter(|_| self.is_granted()).filter_map(part).collect();
        let covered =
            |folder: &String| lists.iter().all(|list| list.iter().any(|listed| names::is_beneath(folder, listed)));
        let mut found: Vec<String> = Vec::new();
        for folder in lists.iter().copied().flatten().filter(|folder| covered(folder)) {
            if !found.iter().any(|above| names::is_beneath(folder, above)) {
                found.retain(|below| !names::is_beneath(below, folder));
                found.push(folder.clone());
            }
        }
        found
    }
}

/// Whether a permission is one that a pattern of held ones stands for.
pub(crate) fn holds(pattern: &str, permission: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some("") => true,
        Some(prefix) if prefix.ends_with(':') => permission.starts_with(prefix),
        _ => pattern == permission,
    }
}

#[cfg(test)]
mod tests;
