// SPDX-License-Identifier: BSL-1.0
#include "policies.hpp"

#include "cores.hpp"

#include <array>
#include <memory>

namespace replay {

namespace {

std::unique_ptr<policy_run> make_count_run(run_setting const& setting) {
    switch (setting.policy.count) {
    case 1:
        return make_run<count_core<1>>(setting);
    case 2:
        return make_run<count_core<2>>(setting);
    case 4:
        return make_run<count_core<4>>(setting);
    case 16:
        return make_run<count_core<16>>(setting);
    case 32:
        return make_run<count_core<32>>(setting);
    default:
        return make_run<count_core<8>>(setting);
    }
}

} // namespace

std::array<policy_entry, 7> const all_policies{{
    {"hard", &make_run<hard_core>},
    {"thread", &make_run<thread_core>},
    {"time", &make_run<time_core>},
    {"count", &make_count_run},
    {"linux-hardirq", &make_run<linux_hardirq_core>},
    {"linux-threaded", &make_run<linux_threaded_core>},
    {"linux-budgeted", &make_run<linux_budgeted_core>},
}};

} // namespace replay
