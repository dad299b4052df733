use std::collections::BTreeSet;

use super::*;
use crate::proto::definitions;
use crate::rule::example;
use crate::transcript::RpcFailure;

#[test]
fn paths_name_the_package_of_their_major() {
    let schema = Rpc::GetProviderSchema;
    assert_eq!(schema.path(Protocol::V5), Some("/tfplugin5.Provider/GetSchema"));
    assert_eq!(schema.path(Protocol::V6), Some("/tfplugin6.Provider/GetProviderSchema"));
    assert_eq!(Rpc::LockState.path(Protocol::V5), None);
}

#[test]
fn every_path_leads_back_to_its_call() {
    for protocol in Protocol::ALL {
        for rpc in Rpc::ALL {
            if let Some(path) = rpc.path(protocol) {
                assert_eq!(Rpc::from_path(path), Some((protocol, *rpc)));
            }
        }
    }
    assert_eq!(Rpc::from_path("/tfplugin6.Provider/GetSchema"), None);
}

#[test]
fn every_call_is_declared_with_its_name_and_streaming() {
    let files = definitions();
    for protocol in Protocol::ALL {
        let package = format!("tfplugin{protocol}");
        let file = files.iter().find(|file| file.package() == package).unwrap();
        let service = file.service.iter().find(|service| service.name() == "Provider").unwrap();
        let declared: BTreeSet<String> = service
            .method
            .iter()
            .map(|method| {
                let streaming = match (method.client_streaming(), method.server_streaming()) {
                    (false, false) => Streaming::Unary,
                    (false, true) => Streaming::Server,
                    (true, _) => Streaming::Client,
                };
                format!("/{package}.Provider/{} {streaming:?}", method.name())
            })
            .collect();
        let known: BTreeSet<String> = Rpc::ALL
            .iter()
            .filter_map(|rpc| {
                let path = rpc.path(protocol)?;
                Some(format!("{path} {:?}", rpc.streaming()))
            })
            .collect();
        assert_eq!(declared, known);
    }
}

#[test]
fn messages_stream_where_the_table_says_so() {
    for (rpc, requests, responses) in STREAMS {
        let streaming = match (requests, responses) {
            (false, false) => Streaming::Unary,
            (false, true) => Streaming::Server,
            (true, _) => Streaming::Client,
        };
        assert_eq!(rpc.streaming(), streaming, "{rpc}");
    }
}

#[test]
fn what_is_sent_reads_back_in_both_majors() {
    for protocol in Protocol::ALL {
        for exchange in example::lifecycle().exchanges {
            let call = exchange.call;
            let rpc = call.rpc();
            let request = call.encode_request(protocol);
            let mut read = AnyCall::decode_request(rpc, protocol, request.clone()).unwrap().unwrap();
            assert_eq!(read.encode_request(protocol), request, "{rpc}");
            let answer = call.encode_response(protocol).unwrap();
            read.decode_response(protocol, answer.clone());
            assert_eq!(read.encode_response(protocol), Ok(answer), "{rpc}");
        }
    }
}

#[test]
fn a_call_takes_over_the_outcome_of_its_like_only() {
    let failed = |code| RpcFailure::Status { code, name: String::new(), message: String::new() };
    let mut metadata: AnyCall = Call::<GetMetadata>::unanswered(GetMetadataRequest {}).into();
    let mut schema: AnyCall = Call::<GetProviderSchema>::unanswered(GetProviderSchemaRequest {}).into();
    let mut other = metadata.clone();
    schema.fail(failed(5));
    other.fail(failed(6));
    metadata.take_outcome(schema);
    assert_ne!(metadata.failure(), Some(&failed(5)));
    metadata.take_outcome(other);
    assert_eq!(metadata.failure(), Some(&failed(6)));
}
