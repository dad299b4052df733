//! Servers that answer oddly, over a pipe in memory.

use std::sync::atomic::{AtomicUsize, Ordering};

use h2::server::{self, SendResponse};
use http::{HeaderMap, Response};
use tokio::io::DuplexStream;

use super::*;

const PATH: &str = "/test/Call";

/// What a server does with one connection, of which it is told the number, counted from 1.
type Serve = fn(DuplexStream, usize) -> BoxFuture<'static, ()>;

/// A channel to a server, and how often it was connected.
async fn channel(serve: Serve) -> (Channel, Arc<AtomicUsize>) {
    let n_connections = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&n_connections);
    let redial: Redial = Arc::new(move || {
        let number = counter.fetch_add(1, Ordering::SeqCst) + 1;
        Box::pin(async move {
            let (ours, theirs) = tokio::io::duplex(1 << 16);
            tokio::spawn(serve(theirs, number));
            Channel::open(ours, MAX_MESSAGE).await.ok()
        })
    });
    let first = redial().await.unwrap();
    (first.redialing(redial), n_connections)
}

/// Answers with messages of one byte each.
fn answer(mut respond: SendResponse<Bytes>, messages: &[u8]) {
    let head = Response::builder().header("content-type", "application/grpc").body(()).unwrap();
    let mut body = respond.send_response(head, false).unwrap();
    for message in messages {
        body.send_data(Bytes::from(vec![0, 0, 0, 0, 1, *message]), false).unwrap();
    }
    let mut trailers = HeaderMap::new();
    trailers.insert("grpc-status", "0".parse().unwrap());
    body.send_trailers(trailers).unwrap();
}

fn answers_twice(io: DuplexStream, _: usize) -> BoxFuture<'static, ()> {
    Box::pin(async move {
        let mut connection = server::handshake(io).await.unwrap();
        while let Some(Ok((_, respond))) = connection.accept().await {
            answer(respond, b"ab");
        }
    })
}

/// The first connection answers one call and then takes no more.
fn goes_away(io: DuplexStream, number: usize) -> BoxFuture<'static, ()> {
    Box::pin(async move {
        let mut connection = server::handshake(io).await.unwrap();
        while let Some(Ok((_, respond))) = connection.accept().await {
            answer(respond, &[b'0' + number as u8]);
            if number == 1 {
                connection.graceful_shutdown();
            }
        }
    })
}

/// The first connection says GOAWAY to the call itself, unprocessed.
fn goes_away_at_once(io: DuplexStream, number: usize) -> BoxFuture<'static, ()> {
    Box::pin(async move {
        let mut connection = server::handshake(io).await.unwrap();
        if number == 1 {
            connection.graceful_shutdown();
        }
        while let Some(Ok((_, respond))) = connection.accept().await {
            answer(respond, &[b'0' + number as u8]);
        }
    })
}

/// Every connection breaks at the first call.
fn breaks(io: DuplexStream, _: usize) -> BoxFuture<'static, ()> {
    Box::pin(async move {
        let mut connection = server::handshake(io).await.unwrap();
        let _ = connection.accept().await;
    })
}

/// Answers with the content type that the path of the call names.
fn answers_with_another_type(io: DuplexStream, _: usize) -> BoxFuture<'static, ()> {
    Box::pin(async move {
        let mut connection = server::handshake(io).await.unwrap();
        while let Some(Ok((request, mut respond))) = connection.accept().await {
            let content_type = request.uri().path().trim_start_matches('/');
            let head = match content_type {
                "none" => Response::builder(),
                _ => Response::builder().header("content-type", content_type),
            };
            let mut body = respond.send_response(head.body(()).unwrap(), false).unwrap();
            body.send_data(Bytes::from_static(&[0, 0, 0, 0, 1, b'a']), false).unwrap();
            body.send_trailers(HeaderMap::from_iter([(
                http::HeaderName::from_static("grpc-status"),
                "0".parse().unwrap(),
            )]))
            .unwrap();
        }
    })
}

#[tokio::test]
async fn an_answer_of_another_content_type_is_a_failure() {
    let (channel, _) = channel(answers_with_another_type).await;
    for good in ["/application/grpc", "/application/grpc+proto", "/application/GRPC;x=1"] {
        assert_eq!(channel.unary(good, Bytes::new()).await.unwrap(), "a", "{good}");
    }
    for (bad, words) in [
        ("/text/plain", "the answer's content type is \"text/plain\", not application/grpc"),
        ("/application/grpcs", "the answer's content type is \"application/grpcs\", not application/grpc"),
        ("/none", "the answer has no content type, not application/grpc"),
    ] {
        let failure = channel.unary(bad, Bytes::new()).await.unwrap_err();
        let CallFailure::Refused(status) = &failure else { panic!("{failure:?}") };
        assert!(status.to_string().contains(words), "{status}");
    }
}

#[tokio::test]
async fn two_messages_in_a_unary_answer_are_a_failure() {
    let (channel, _) = channel(answers_twice).await;
    let failure = channel.unary(PATH, Bytes::new()).await.unwrap_err();
    let CallFailure::Refused(status) = failure else { panic!("{failure:?}") };
    assert_eq!(status.to_string(), "Internal: the answer has more than one message");
    let answers = channel.server_stream(PATH, Bytes::new()).await.unwrap_or_else(|_| panic!("no stream"));
    assert_eq!(answers.collect::<Vec<_>>().await.len(), 2);
}

#[tokio::test]
async fn a_call_after_a_graceful_goaway_uses_another_connection() {
    let (channel, n_connections) = channel(goes_away).await;
    for expected in ["1", "2", "2"] {
        assert_eq!(channel.unary(PATH, Bytes::new()).await.unwrap(), expected);
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    assert_eq!(n_connections.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn a_call_that_a_goaway_left_unprocessed_is_made_again() {
    let (channel, n_connections) = channel(goes_away_at_once).await;
    let answer = channel.unary(PATH, Bytes::new()).await.unwrap();
    assert!(answer == "1" || answer == "2", "{answer:?}");
    tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    assert_eq!(channel.unary(PATH, Bytes::new()).await.unwrap(), "2");
    assert_eq!(n_connections.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn a_connection_that_breaks_is_not_replaced() {
    let (channel, n_connections) = channel(breaks).await;
    for _ in 0..2 {
        let failure = channel.unary(PATH, Bytes::new()).await.unwrap_err();
        assert!(matches!(failure, CallFailure::Broken(_)), "{failure:?}");
    }
    assert_eq!(n_connections.load(Ordering::SeqCst), 1);
}
