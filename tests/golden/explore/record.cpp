// Writes the recorded conversations anew: explore_record DIRECTORY. For a change of the protocol,
// and then to be read: what the client and the server say now is what every client must say.
#include <fstream>
#include <iostream>

#include "golden/explore/scenarios.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: explore_record DIRECTORY\n";
    return 2;
  }
  for (const terrane::golden::Conversation& conversation : terrane::golden::all_conversations()) {
    std::ofstream out(std::string(argv[1]) + "/" + conversation.setting.name + ".txt");
    out << terrane::golden::write(conversation);
    if (!out.flush()) {
      std::cerr << "explore_record: can't write " << conversation.setting.name << ".txt\n";
      return 1;
    }
  }
}
