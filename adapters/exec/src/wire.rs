//! What host, supervisor and launcher say to each other over a socket: a length, JSON, and handles beside it.

use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::Duration;

use rustix::io::Errno;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage, SendFlags,
    recvmsg, sendmsg,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::limits::Limits;
use crate::sandbox::{Grant, Support};

/// Of the messages; a host and a supervisor given by path may be of different builds.
pub(crate) const VERSION: u32 = 1;
/// Most handles beside one message; the kernel allows 253.
pub(crate) const MAX_HANDLES: usize = 64;
/// Most bytes of one message.
const MAX_BYTES: usize = 16 * 1024 * 1024;

/// What to run. The handles beside it are in the order of [`Handles`].
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Order {
    /// What the program is told that it is called.
    pub(crate) name: String,
    /// The path to run in place of the handle, for scripts: their interpreter opens them by name.
    pub(crate) script: Option<String>,
    pub(crate) arguments: Vec<String>,
    pub(crate) environment: Vec<(String, String)>,
    /// The folder for the folder of its own.
    pub(crate) temporary: String,
    /// Whether it runs in that folder; the handle is then of no use.
    pub(crate) own_folder: bool,
    pub(crate) time: Duration,
    pub(crate) grace: Duration,
    pub(crate) limits: Limits,
    /// The kernel's limit of tasks of this user; set by the supervisor.
    pub(crate) tasks: Option<u64>,
    pub(crate) support: Support,
    /// What is granted by name.
    pub(crate) named: Vec<(Grant, String)>,
    /// What the last handles are granted for.
    pub(crate) held: Vec<Grant>,
}

/// The handles beside an [`Order`].
#[derive(Debug)]
pub(crate) struct Handles {
    pub(crate) stdin: OwnedFd,
    pub(crate) stdout: OwnedFd,
    pub(crate) stderr: OwnedFd,
    pub(crate) program: OwnedFd,
    pub(crate) folder: OwnedFd,
    /// One for each of [`Order::held`].
    pub(crate) held: Vec<OwnedFd>,
}

impl Handles {
    pub(crate) fn in_order(&self) -> Vec<BorrowedFd<'_>> {
        let Self { stdin, stdout, stderr, program, folder, held } = self;
        [stdin, stdout, stderr, program, folder].into_iter().chain(held).map(AsFd::as_fd).collect()
    }

    pub(crate) fn of(handles: Vec<OwnedFd>, held: usize) -> io::Result<Self> {
        let mut handles = handles.into_iter();
        let mut next = || handles.next().ok_or(io::ErrorKind::InvalidData);
        let (stdin, stdout, stderr, program, folder) = (next()?, next()?, next()?, next()?, next()?);
        let rest: Vec<OwnedFd> = handles.collect();
        if rest.len() != held {
            return Err(io::ErrorKind::InvalidData.into());
        }
        Ok(Self { stdin, stdout, stderr, program, folder, held: rest })
    }
}

/// What a supervisor or launcher says.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) enum Said {
    /// The first word: a supervisor is there.
    Hello { version: u32 },
    /// The program runs, in a process group of that number.
    Started { group: i32 },
    /// It was never started; nothing was done.
    NotStarted { why: String },
    /// It is over, and so are all its descendants.
    Ended(Ended),
}

/// How a run ended.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Ended {
    pub(crate) how: How,
    /// Exit code, or signal.
    pub(crate) status: Option<Exit>,
    /// Processes that were still there when the program had ended.
    pub(crate) leftovers: usize,
    /// Processes that could not be ended.
    pub(crate) survivors: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum How {
    Exited,
    TimedOut,
    GivenUp,
    TooMany,
    /// It couldn't be watched any more: `/proc` can't be read.
    Unseen,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Exit {
    Code(i32),
    Signal(i32),
}

/// Sends one message.
pub(crate) fn send(socket: BorrowedFd<'_>, message: &impl Serialize, handles: &[BorrowedFd<'_>]) -> io::Result<()> {
    let body = serde_json::to_vec(message)?;
    let length = u32::try_from(body.len()).map_err(|_| io::ErrorKind::InvalidInput)?;
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MAX_HANDLES))];
    let mut beside = SendAncillaryBuffer::new(&mut space);
    if !handles.is_empty() && !beside.push(SendAncillaryMessage::ScmRights(handles)) {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let head = length.to_be_bytes();
    let sent = again(|| sendmsg(socket, &[io::IoSlice::new(&head)], &mut beside, SendFlags::NOSIGNAL))?;
    let mut rest: Vec<u8> = head.into_iter().skip(sent).chain(body).collect();
    while !rest.is_empty() {
        let sent = again(|| rustix::net::send(socket, &rest, SendFlags::NOSIGNAL))?;
        rest.drain(..sent);
    }
    Ok(())
}

/// Receives one message; `None` where the other side has closed.
pub(crate) fn receive<T: DeserializeOwned>(socket: BorrowedFd<'_>) -> io::Result<Option<(T, Vec<OwnedFd>)>> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MAX_HANDLES))];
    let mut beside = RecvAncillaryBuffer::new(&mut space);
    let mut head = [0; 4];
    let got = again(|| {
        let mut parts = [io::IoSliceMut::new(&mut head)];
        recvmsg(socket, &mut parts, &mut beside, RecvFlags::CMSG_CLOEXEC)
    })?;
    let mut handles = Vec::new();
    for message in beside.drain() {
        if let RecvAncillaryMessage::ScmRights(fds) = message {
            handles.extend(fds);
        }
    }
    if got.bytes == 0 {
        return Ok(None);
    }
    if let Some(rest) = head.get_mut(got.bytes..) {
        fill(socket, rest)?;
    }
    let length = u32::from_be_bytes(head) as usize;
    if length > MAX_BYTES {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let mut body = vec![0; length];
    fill(socket, &mut body)?;
    Ok(Some((serde_json::from_slice(&body)?, handles)))
}

fn fill(socket: BorrowedFd<'_>, mut rest: &mut [u8]) -> io::Result<()> {
    while !rest.is_empty() {
        let got = again(|| rustix::io::read(socket, &mut *rest))?;
        match std::mem::take(&mut rest).get_mut(got..) {
            Some(left) if got > 0 => rest = left,
            _ => return Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }
    Ok(())
}

/// Repeats what a signal broke off.
pub(crate) fn again<T>(mut call: impl FnMut() -> Result<T, Errno>) -> io::Result<T> {
    loop {
        match call() {
            Err(Errno::INTR) => {}
            result => return Ok(result?),
        }
    }
}
