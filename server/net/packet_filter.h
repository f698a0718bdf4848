#pragma once

#include <span>

#include "net/client_address.h"

namespace terrane::net {

/// Has the system drop whatever these clients send to a listening socket, requests to connect above
/// all, before it costs more than a look: a classic BPF program (McCanne and Jacobson 1993;
/// SO_ATTACH_FILTER, socket(7)), for which nobody needs a privilege. Connections that are there, or
/// wait to be accepted, are not touched; those that are accepted meanwhile inherit it.
/// @param socket   that listens, or one that was accepted by it
/// @param clients  as client_of() gives them; none: nothing is dropped any more
/// @return whether the system takes it; what was set before holds where it does not
bool drop_packets_of(int socket, std::span<const AddressBytes> clients);

/// Has the system drop what comes on a connection, and nothing else: what the peer says of how much
/// it has received is heard, but for what comes with data and its end, or with data where no card
/// checks sums; and so is its end once all before it has come. The peer sends again later.
/// @return as above
bool drop_data_of(int socket, bool dropped);

}  // namespace terrane::net
